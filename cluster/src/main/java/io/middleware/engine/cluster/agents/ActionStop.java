package io.middleware.engine.cluster.agents;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.grpc.StatusException;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.proto.tool.v1.StopActionRequest;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import io.middleware.engine.workflows.port.HeartbeatContract;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Waits until an action that is cancelled has ended: until nothing of it runs in its pod any more.
 *
 * <ol>
 *   <li>Ask the agent to stop the action, and follow it until it says that it has ended.
 *   <li>If the agent does not answer, ask again, until the pod is gone or the time is over in which
 *       an agent that has lost the engine ends the action by itself.
 * </ol>
 */
final class ActionStop {
  /** An agent waits for another call when a connection is lost. */
  private static final Duration AGENTS_PATIENCE = Duration.ofSeconds(15);

  /** A process that lives longer than this after SIGKILL hangs in the kernel. */
  private static final Duration LONGEST_DEATH = Duration.ofSeconds(10);

  private final AgentChannels channels;
  private final BooleanSupplier isNeeded;

  /**
   * @param isNeeded asked at least once per {@link HeartbeatContract#INTERVAL} and before each
   *     pause: whether the pod is still there
   */
  ActionStop(AgentChannels channels, BooleanSupplier isNeeded) {
    this.channels = channels;
    this.isNeeded = isNeeded;
  }

  /**
   * Returns when the action has ended, or nobody can tell.
   *
   * @param killTimeout with which it was begun
   */
  void await(ActionCall call, Duration killTimeout) {
    var longest = killTimeout.plus(AGENTS_PATIENCE).plus(LONGEST_DEATH);
    var end = System.nanoTime() + longest.toNanos();
    for (var attempt = 1; isNeeded.getAsBoolean() && System.nanoTime() < end; attempt++) {
      try {
        follow(call, end);
        return;
      } catch (StatusException e) {
        switch (e.getStatus().getCode()) {
          case UNIMPLEMENTED, INVALID_ARGUMENT, FAILED_PRECONDITION -> {
            return; // an older agent
          }
          default -> AgentChannels.reconnect(channels.to(call.endpoint(), call.pod()));
        }
      }
      AgentQuestion.sleep(attempt);
    }
  }

  private void follow(ActionCall call, long end) throws StatusException {
    var request =
        StopActionRequest.newBuilder()
            .setOperationId(call.operation())
            .setPodName(call.pod().name())
            .setPodUid(call.pod().uid())
            .build();
    var agent = ToolInvokerGrpc.newBlockingV2Stub(channels.to(call.endpoint(), call.pod()));
    var stream = agent.stopAction(request);
    try {
      while (isNeeded.getAsBoolean() && System.nanoTime() < end) {
        try {
          var message = stream.read(HeartbeatContract.INTERVAL.toNanos(), NANOSECONDS);
          if (message == null || message.hasDone()) {
            return;
          }
        } catch (TimeoutException e) {
          // no news
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while an action was being stopped");
    } finally {
      stream.cancel("the caller has stopped waiting", null);
    }
  }
}
