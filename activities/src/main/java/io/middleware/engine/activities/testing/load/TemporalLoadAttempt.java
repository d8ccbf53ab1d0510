package io.middleware.engine.activities.testing.load;

import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadCounts;
import io.temporal.activity.Activity;
import io.temporal.common.converter.DataConverterException;
import java.time.Instant;
import java.util.Optional;

/** Of the activity that the calling thread executes. */
final class TemporalLoadAttempt implements LoadAttempt {

  @Override
  public Instant firstAskedFor() {
    return Instant.ofEpochMilli(Activity.getExecutionContext().getInfo().getScheduledTimestamp());
  }

  @Override
  public void heartbeat(String message) {
    Activity.getExecutionContext().heartbeat(message);
  }

  @Override
  public void heartbeat(LoadCounts counts) {
    Activity.getExecutionContext().heartbeat(counts);
  }

  /** The worker says by other words that it is alive, before the attempt itself says anything. */
  @Override
  public Optional<LoadCounts> earlierCounts() {
    try {
      return Activity.getExecutionContext().getHeartbeatDetails(LoadCounts.class);
    } catch (DataConverterException e) {
      return Optional.empty();
    }
  }
}
