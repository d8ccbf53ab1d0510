package io.middleware.engine.simulator.agents;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.OutdatedSecret;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import io.middleware.engine.agent.replication.RoleClaim;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Applies the pod's fault at the start of each action.
 *
 * @param hangUp soon breaks the connections of the pod, which cancels the action
 */
record FaultyDriver(Driver correct, Supplier<AgentFault> fault, Duration delay, Runnable hangUp)
    implements Driver {
  private static final int FAILURE = 3;
  private static final int KILLED = 137;
  private static final Duration FOREVER = Duration.ofDays(1);
  private static final String FAULT_NOTE = " (a fault set on the pod)";

  @Override
  public ReplicationRole role() {
    return correct.role();
  }

  @Override
  public String roleName() {
    return correct.roleName();
  }

  @Override
  public RoleClaim claim() {
    return correct.claim();
  }

  @Override
  public String roleSign() {
    return correct.roleSign();
  }

  @Override
  public Optional<String> trouble() {
    return correct.trouble();
  }

  @Override
  public Optional<String> primary() {
    return correct.primary();
  }

  @Override
  public Optional<String> switchover(Optional<String> successor, ProgressSink progress)
      throws InterruptedException {
    switch (fault.get()) {
      case SWITCHOVER_REFUSED -> throw refusal("no replica has caught up" + FAULT_NOTE);
      case SWITCHOVER_SLOW -> waitAWhile(progress);
      case SWITCHOVER_HANGS_UP -> hangUp(progress);
      default -> applyFault(progress);
    }
    return correct.switchover(successor, progress);
  }

  @Override
  public Optional<OutdatedSecret> outdatedSecret(String salt, Map<String, String> digests) {
    return correct.outdatedSecret(salt, digests);
  }

  @Override
  public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress)
      throws InterruptedException {
    applyFault(progress);
    if (fault.get() == AgentFault.RELOAD_REFUSED && !parameters.isEmpty()) {
      var first = new TreeMap<>(parameters).firstEntry();
      throw refusal(first.getKey() + " " + first.getValue() + ": not accepted" + FAULT_NOTE);
    }
    return correct.reload(parameters, progress);
  }

  @Override
  public void drain(ProgressSink progress) throws InterruptedException {
    applyFault(progress);
    correct.drain(progress);
  }

  /** Without a fault, so that pods with one can be stopped. */
  @Override
  public void persist(boolean beforeEnd, ProgressSink progress) throws InterruptedException {
    correct.persist(beforeEnd, progress);
  }

  @Override
  public void resume() {
    correct.resume();
  }

  @Override
  public String measure(String question) {
    return correct.measure(question);
  }

  @Override
  public ActionOutput runAction(ActionRequest request, ProgressSink progress)
      throws InterruptedException {
    switch (fault.get()) {
      case ACTION_REFUSED -> throw refusal(request.name() + ": not now" + FAULT_NOTE);
      case ACTION_FAILS -> {
        return new ActionOutput(FAILURE, "it failed" + FAULT_NOTE + "\n", Map.of());
      }
      case ACTION_HANGS -> {
        return killed(request, progress);
      }
      case ACTION_SLOW -> waitAWhile(progress);
      default -> applyFault(progress);
    }
    return correct.runAction(request, progress);
  }

  private static ActionOutput killed(ActionRequest request, ProgressSink progress)
      throws InterruptedException {
    progress.report("hanging" + FAULT_NOTE, 0);
    Thread.sleep(request.timeout().isZero() ? FOREVER : request.timeout());
    Thread.sleep(request.killTimeout());
    return new ActionOutput(KILLED, "", Map.of(), true);
  }

  private void applyFault(ProgressSink progress) throws InterruptedException {
    switch (fault.get()) {
      case SLOW -> waitAWhile(progress);
      case HANGS_UP -> hangUp(progress);
      case UNAVAILABLE ->
          throw Status.UNAVAILABLE.withDescription("fault set on the pod").asRuntimeException();
      default -> {}
    }
  }

  private void hangUp(ProgressSink progress) throws InterruptedException {
    hangUp.run();
    waitAWhile(progress);
  }

  private void waitAWhile(ProgressSink progress) throws InterruptedException {
    progress.report("waiting" + FAULT_NOTE, 0);
    Thread.sleep(delay);
  }

  private static StatusRuntimeException refusal(String why) {
    return Status.FAILED_PRECONDITION.withDescription(why).asRuntimeException();
  }
}
