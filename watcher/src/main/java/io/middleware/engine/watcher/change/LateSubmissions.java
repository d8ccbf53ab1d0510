package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.watcher.cache.LruCache;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Notices edits that cannot be submitted to Temporal for {@link #PATIENCE}. */
final class LateSubmissions {
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private final LruCache<String, Tried> tried = new LruCache<>();
  private final SubmissionReport report;
  private final InstantSource clock;

  private record Tried(long generation, Instant since) {}

  LateSubmissions(SubmissionReport report, InstantSource clock) {
    this.report = report;
    this.clock = clock;
  }

  /**
   * Temporal has not taken the App's newest generation.
   *
   * @param began when the try began
   */
  void failed(App app, Instant began, String cause) {
    var uid = app.getMetadata().getUid();
    var first =
        tried
            .get(uid)
            .filter(one -> one.generation() == app.getMetadata().getGeneration())
            .orElseGet(() -> new Tried(app.getMetadata().getGeneration(), began));
    tried.put(uid, first);
    if (!clock.instant().isBefore(first.since().plus(PATIENCE))) {
      report.late(app, first.since(), cause);
    }
  }

  /** Temporal has it. */
  void arrived(App app) {
    tried.remove(app.getMetadata().getUid());
    report.arrived(app);
  }
}
