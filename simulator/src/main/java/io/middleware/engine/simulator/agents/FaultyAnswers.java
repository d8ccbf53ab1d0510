package io.middleware.engine.simulator.agents;

import io.grpc.Status;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.order.WorkOrder;
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Spoils right answers by the fault that the pod has at the moment of the call.
 *
 * @param hangUp breaks the pod's connections off, soon
 */
record FaultyAnswers(AgentAnswers right, Supplier<AgentFault> fault, Duration slowness, Runnable hangUp)
    implements AgentAnswers {
  private static final String HUGE = "x".repeat(5 << 20);

  @Override
  public WorkOrder groupOrder(Scenario scenario, List<String> groups) {
    return spoiled(right.groupOrder(scenario, groups), order -> named(order, List.of(HUGE)));
  }

  @Override
  public WorkOrder podOrder(Scenario scenario, List<String> pods) {
    var order = right.podOrder(scenario, pods);
    return switch (fault.get()) {
      case UNKNOWN_POD -> named(order, plus(order.names(), Stream.of("no-such-pod-0")));
      case MISSING_POD -> named(order, order.names().stream().skip(1).toList());
      case DUPLICATE_POD -> named(order, plus(order.names(), order.names().stream().limit(1)));
      default -> spoiled(order, o -> named(o, List.of(HUGE)));
    };
  }

  @Override
  public String role() {
    return spoiled(right.role(), role -> HUGE);
  }

  @Override
  public Driver driver() {
    return new FaultyDriver(right.driver(), fault, slowness, hangUp);
  }

  private <T> T spoiled(T answer, Function<T, T> blownUp) {
    return switch (fault.get()) {
      case SLOW -> late(answer);
      case HANGS_UP -> {
        hangUp.run();
        yield late(answer);
      }
      case HUGE -> blownUp.apply(answer);
      case UNAVAILABLE ->
          throw Status.UNAVAILABLE.withDescription("fault set on the pod").asRuntimeException();
      default -> answer;
    };
  }

  private <T> T late(T answer) {
    try {
      Thread.sleep(slowness);
      return answer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withCause(e).asRuntimeException();
    }
  }

  private static List<String> plus(List<String> names, Stream<String> more) {
    return Stream.concat(names.stream(), more).toList();
  }

  private static WorkOrder named(WorkOrder order, List<String> names) {
    return new WorkOrder(names, order.concurrent());
  }
}
