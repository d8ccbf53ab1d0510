package io.middleware.engine.watcher.control;

import io.middleware.engine.api.App;
import java.util.Optional;

/** Reads Apps with their control requests, and publishes the outcomes. */
public interface ControlledApps {

  /** The whole App, read from the API server; empty when it is gone. */
  Optional<App> read(App cached);

  /** Publishes the outcome of a request where its author sees it. Publishing twice is harmless. */
  void publish(App app, ControlOutcome outcome);

  /** Removes the annotation if it still has the value that was read; a newer one stays. */
  void remove(App app, String annotation);

  /**
   * The outcome of a control request.
   *
   * @param requestId equal for the same request
   * @param refused whether the request was refused
   * @param note the message for people
   */
  record ControlOutcome(String requestId, boolean refused, String reason, String note) {}
}
