package io.middleware.engine.watcher.health;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Keeps the health in the statuses of an App, its Components and its Groups up to date. */
public final class HealthMirror {
  private final StatusWriter writer;
  private final WriteDelays holds;
  private final WritePacing pacing;
  private final InstantSource clock;

  public HealthMirror(StatusWriter writer, WriteDelays holds, InstantSource clock) {
    this.writer = writer;
    this.holds = holds;
    this.pacing = new WritePacing(holds.gap());
    this.clock = clock;
  }

  /**
   * Writes what is due: Groups first, the App last.
   *
   * @return when to look again if nothing happens before, as a difference is still held back
   */
  public Optional<Duration> mirror(AppObservation seen) {
    return StatusUpdate.of(seen, clock.instant()).stream()
        .map(this::mirror)
        .flatMap(Optional::stream)
        .min(Duration::compareTo);
  }

  private Optional<Duration> mirror(StatusUpdate reflection) {
    var now = clock.instant();
    if (reflection.isTrue()) {
      pacing.same(reflection.key(), now);
      return Optional.empty();
    }
    var due = pacing.due(reflection.key(), reflection.hold(holds), now);
    if (due.isAfter(now)) {
      return Optional.of(Duration.between(now, due));
    }
    writer.write(reflection.next());
    pacing.written(reflection.key(), now);
    return Optional.empty();
  }
}
