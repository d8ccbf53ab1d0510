package io.middleware.engine.activities.testing;

import io.temporal.activity.Activity;
import io.temporal.common.converter.DataConverterException;
import java.util.Optional;

/** The heartbeats of the activity that the calling thread executes. */
public final class TemporalChecksMemory implements ChecksMemory {

  /** The worker says by other words that it is alive, before the attempt itself says anything. */
  @Override
  public Optional<ChecksSeen> earlier() {
    try {
      return Activity.getExecutionContext().getHeartbeatDetails(ChecksSeen.class);
    } catch (DataConverterException e) {
      return Optional.empty();
    }
  }

  @Override
  public void remember(ChecksSeen seen) {
    Activity.getExecutionContext().heartbeat(seen);
  }
}
