package io.middleware.engine.watcher.control;

import io.middleware.engine.api.App;
import java.util.Optional;

/** The Apps as they are now, with the requests that operators wrote on them. */
public interface ControlledApps {

  /** The whole App, as it is now; empty when it is gone. */
  Optional<App> read(App cached);

  /** Writes what became of a request where its author sees it. Told twice, it is told once. */
  void tell(App app, Outcome outcome);

  /** Takes the annotation off if it still has the value that was read; a newer one stays. */
  void remove(App app, String annotation);

  /**
   * What became of a request.
   *
   * @param requestId the same for the same request
   * @param refused whether nothing was done
   * @param note for people
   */
  record Outcome(String requestId, boolean refused, String reason, String note) {}
}
