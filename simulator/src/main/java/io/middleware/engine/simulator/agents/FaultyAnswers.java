package io.middleware.engine.simulator.agents;

import io.grpc.Status;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.order.WorkOrder;
import io.middleware.engine.agent.replication.RoleClaim;
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Applies the pod's current fault to correct answers.
 *
 * @param hangUp soon breaks the connections of the pod
 */
record FaultyAnswers(
    AgentAnswers correct, Supplier<AgentFault> fault, Duration delay, Runnable hangUp)
    implements AgentAnswers {
  private static final String HUGE = "x".repeat(5 << 20);

  @Override
  public WorkOrder groupOrder(Scenario scenario, List<String> groups) {
    return withFault(
        correct.groupOrder(scenario, groups), order -> withNames(order, List.of(HUGE)));
  }

  @Override
  public WorkOrder podOrder(Scenario scenario, List<String> pods) {
    var order = correct.podOrder(scenario, pods);
    return switch (fault.get()) {
      case UNKNOWN_POD -> withNames(order, append(order.names(), Stream.of("no-such-pod-0")));
      case MISSING_POD -> withNames(order, order.names().stream().skip(1).toList());
      case DUPLICATE_POD ->
          withNames(order, append(order.names(), order.names().stream().limit(1)));
      default -> withFault(order, o -> withNames(o, List.of(HUGE)));
    };
  }

  @Override
  public String role() {
    return withFault(correct.role(), role -> HUGE);
  }

  @Override
  public RoleClaim claim() {
    return withFault(correct.claim(), claim -> new RoleClaim(HUGE, claim.term()));
  }

  @Override
  public String roleSign() {
    return correct.roleSign();
  }

  @Override
  public String trouble() {
    return correct.trouble();
  }

  @Override
  public Driver driver() {
    return new FaultyDriver(correct.driver(), fault, delay, hangUp);
  }

  private <T> T withFault(T answer, Function<T, T> inflate) {
    return switch (fault.get()) {
      case SLOW -> delayed(answer);
      case HANGS_UP -> {
        hangUp.run();
        yield delayed(answer);
      }
      case HUGE -> inflate.apply(answer);
      case UNAVAILABLE ->
          throw Status.UNAVAILABLE.withDescription("fault set on the pod").asRuntimeException();
      default -> answer;
    };
  }

  private <T> T delayed(T answer) {
    try {
      Thread.sleep(delay);
      return answer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withCause(e).asRuntimeException();
    }
  }

  private static List<String> append(List<String> names, Stream<String> more) {
    return Stream.concat(names.stream(), more).toList();
  }

  private static WorkOrder withNames(WorkOrder order, List<String> names) {
    return new WorkOrder(names, order.concurrent());
  }
}
