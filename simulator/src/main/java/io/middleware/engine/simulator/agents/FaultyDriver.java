package io.middleware.engine.simulator.agents;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Spoils right actions by the fault that the pod has when they begin.
 *
 * @param hangUp breaks the pod's connections off, soon, which cancels the action
 */
record FaultyDriver(Driver right, Supplier<AgentFault> fault, Duration slowness, Runnable hangUp)
    implements Driver {
  private static final String SET = " (a fault set on the pod)";

  @Override
  public ReplicationRole role() {
    return right.role();
  }

  @Override
  public Optional<String> primary() {
    return right.primary();
  }

  @Override
  public Optional<String> switchover(ProgressSink progress) throws InterruptedException {
    switch (fault.get()) {
      case SWITCHOVER_REFUSED -> throw refusal("no replica has caught up" + SET);
      case SWITCHOVER_SLOW -> takeTime(progress);
      case SWITCHOVER_HANGS_UP -> hangUp(progress);
      default -> spoil(progress);
    }
    return right.switchover(progress);
  }

  @Override
  public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress)
      throws InterruptedException {
    spoil(progress);
    if (fault.get() == AgentFault.RELOAD_REFUSED && !parameters.isEmpty()) {
      throw refusal(new TreeSet<>(parameters.keySet()).first() + ": not accepted" + SET);
    }
    return right.reload(parameters, progress);
  }

  @Override
  public void drain(ProgressSink progress) throws InterruptedException {
    spoil(progress);
    right.drain(progress);
  }

  private void spoil(ProgressSink progress) throws InterruptedException {
    switch (fault.get()) {
      case SLOW -> takeTime(progress);
      case HANGS_UP -> hangUp(progress);
      case UNAVAILABLE ->
          throw Status.UNAVAILABLE.withDescription("fault set on the pod").asRuntimeException();
      default -> {}
    }
  }

  private void hangUp(ProgressSink progress) throws InterruptedException {
    hangUp.run();
    takeTime(progress);
  }

  private void takeTime(ProgressSink progress) throws InterruptedException {
    progress.report("takes its time" + SET, 0);
    Thread.sleep(slowness);
  }

  private static StatusRuntimeException refusal(String why) {
    return Status.FAILED_PRECONDITION.withDescription(why).asRuntimeException();
  }
}
