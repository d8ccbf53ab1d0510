package io.middleware.engine.watcher.request;

import io.middleware.engine.watcher.request.RequestDecision.End;
import java.util.Optional;

/**
 * How requests of a kind end without a run.
 *
 * @param unreadable when their spec cannot be read
 * @param lost when their run ended without a result
 * @param stopped when they are cancelled, and their run is lost
 */
public record RequestEnds(End unreadable, End lost, End stopped) {
  static final String CANCELLED = "Cancelled";

  /**
   * @param refused phase of one whose spec cannot be read
   * @param afterLoss what people should know when the run is lost
   * @param afterStop what people should know when one without a run was cancelled
   */
  public static RequestEnds of(String refused, String afterLoss, String afterStop) {
    return new RequestEnds(
        new End(refused, Optional.of("InvalidSpec"), RequestDecision.UNREADABLE),
        new End(
            "Failed",
            Optional.of("RunLost"),
            "its run ended without a result: it was terminated, or Temporal has lost it; "
                + afterLoss),
        new End(CANCELLED, "its run no longer existed when it was cancelled; " + afterStop));
  }
}
