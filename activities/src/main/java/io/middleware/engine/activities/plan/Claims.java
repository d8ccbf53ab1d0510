package io.middleware.engine.activities.plan;

import io.middleware.engine.activities.status.AppStatusFactory;
import io.middleware.engine.activities.status.AppStatusWriter;
import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.activities.status.AppStatusWriter.Written;
import io.middleware.engine.api.App;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Makes a run the one that may write for an App. */
final class Claims {
  private final AppStatusWriter writer;
  private final Clock clock;

  Claims(AppStatusWriter writer, Clock clock) {
    this.writer = writer;
    this.clock = clock;
  }

  /**
   * Claims the App, in its newest generation, for the calling run.
   *
   * @return the App as it was claimed; empty when it is gone
   */
  Optional<App> claim(ChangeRef change) {
    return writer
        .write(
            new AppId(change.namespace(), change.app(), change.uid()),
            app -> {
              var now = clock.instant();
              return Optional.of(AppStatusFactory.of(app, taken(app, change, now), now));
            })
        .map(Written::before);
  }

  private static ChangeProgress taken(App app, ChangeRef change, Instant now) {
    var newest =
        new ChangeRef(
            change.namespace(),
            change.app(),
            change.uid(),
            app.getMetadata().getGeneration(),
            change.runId());
    return new ChangeProgress(
        newest,
        now,
        false,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty());
  }
}
