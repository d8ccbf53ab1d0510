package io.middleware.engine.cluster.agents;

import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.proto.tool.v1.RunActionRequest;
import java.time.Duration;
import java.util.Map;

/**
 * An action of the Plugin that an agent is to run.
 *
 * @param parameters values as text, by name
 * @param timeout how long it may run; zero: until it is cancelled
 * @param killTimeout how long it may take to end after it is terminated
 */
public record ActionOrder(
    String name, Map<String, String> parameters, Duration timeout, Duration killTimeout) {
  /** Used where no Operation sets one. */
  public static final Duration KILL_TIMEOUT = Duration.ofSeconds(30);

  public ActionOrder {
    parameters = Map.copyOf(parameters);
  }

  RunActionRequest to(ActionCall call) {
    return RunActionRequest.newBuilder()
        .setOperationId(call.operation())
        .setPodName(call.pod().name())
        .setPodUid(call.pod().uid())
        .setAction(name)
        .putAllParameters(parameters)
        .setTimeoutSeconds(seconds(timeout))
        .setKillTimeoutSeconds(seconds(killTimeout))
        .build();
  }

  /** Rounded up, so that a short time is not none. */
  private static int seconds(Duration time) {
    return (int) Math.min(time.plusMillis(999).toSeconds(), Integer.MAX_VALUE);
  }
}
