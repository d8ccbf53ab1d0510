package io.middleware.engine.activities.testing.load;

import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadCounts;
import java.time.Instant;
import java.util.Optional;

/** The attempt of a step that the calling thread carries out. */
interface LoadAttempt {

  /** When the first attempt of this step was asked for. */
  Instant firstAskedFor();

  /**
   * Says what the step waits for.
   *
   * @throws io.temporal.client.ActivityCompletionException when the step is cancelled
   */
  void heartbeat(String message);

  /**
   * Says how often was checked.
   *
   * @throws io.temporal.client.ActivityCompletionException when the step is cancelled
   */
  void heartbeat(LoadCounts counts);

  /** What an earlier attempt has said; empty when there was none, or it has said other things. */
  Optional<LoadCounts> earlierCounts();
}
