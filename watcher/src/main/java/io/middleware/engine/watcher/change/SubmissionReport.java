package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import java.time.Instant;

/** Shows on an App that its edit waits for Temporal. */
public interface SubmissionReport {

  /**
   * The edit could not be submitted to Temporal for some time.
   *
   * @param since when this was first tried
   */
  void late(App app, Instant since, String cause);

  /** Temporal has the edit; takes back what {@link #late} showed. */
  void arrived(App app);
}
