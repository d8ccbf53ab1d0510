package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.watcher.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A signaller with a Temporal and a clock that tests set. */
final class SignallerScene {
  static final Duration RESYNC = Duration.ofMinutes(1);
  static final Duration SETTLING = Duration.ofSeconds(3);
  static final Duration AWAY = Duration.ofSeconds(2);

  final FakeChangeRuns runs = new FakeChangeRuns();
  final FakeClock clock = new FakeClock();
  final FakeSubmissionReport report = new FakeSubmissionReport();
  final List<String> stuck = new ArrayList<>();

  /** What the API server has, when the watcher has not seen it yet. */
  Optional<App> unseen = Optional.empty();

  /** Whether an App that is used has changed. */
  boolean outdated;

  /** Whether a Secret has changed. */
  boolean secretsChanged;

  /** Whether other Apps use the App. */
  boolean held;

  final ChangeSignaller signaller =
      new ChangeSignaller(
          runs,
          seen -> unseen.or(() -> Optional.of(seen)),
          new AppUses() {
            @Override
            public boolean areOutdated(App app) {
              return outdated;
            }

            @Override
            public boolean hold(App app) {
              return held;
            }
          },
          app -> secretsChanged,
          new RunCheckIntervals(RESYNC, SETTLING, AWAY),
          report,
          (app, run) -> stuck.add(run.id() + ": " + run.trouble().orElseThrow()),
          clock);
}
