package io.middleware.engine.activities.backup;

import io.middleware.engine.api.App;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.BackupRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes how Backups have ended, with their events. */
final class BackupEnds {
  private static final Logger LOG = LoggerFactory.getLogger(BackupEnds.class);
  private static final int LONGEST_MESSAGE = 8192;

  private final Backups backups;
  private final BackupEvents events;
  private final SensitiveValues secrets;
  private final Clock clock;

  BackupEnds(Backups backups, BackupEvents events, SensitiveValues secrets, Clock clock) {
    this.backups = backups;
    this.events = events;
    this.secrets = secrets;
    this.clock = clock;
  }

  /**
   * How it ends.
   *
   * @param phase one of the phases of an end
   * @param why for people; may be empty
   */
  record End(String phase, String why) {}

  /**
   * Ends a Backup that has not ended.
   *
   * @param app gets an event as well, if given
   * @param is only such a Backup
   * @return the message in its status; empty when there is no such Backup
   */
  Optional<String> end(BackupRef ref, Optional<App> app, End end, Predicate<Backup> is) {
    var ended =
        backups.write(
            ref,
            found ->
                is.test(found)
                    ? Optional.of(found.hasEnded() ? found.getStatus() : ended(ref, found, end))
                    : Optional.empty());
    ended.ifPresent(backup -> report(ref, backup, app));
    if (ref.scheduled() && !BackupStatus.SUCCEEDED.equals(end.phase())) {
      prune(ref);
    }
    return ended.map(backup -> Objects.requireNonNullElse(backup.getStatus().message(), end.why()));
  }

  /** What cannot be deleted now is deleted after the next one. */
  private void prune(BackupRef ref) {
    try {
      PrunedBackups.afterABadOne(backups.ofApp(ref.namespace(), ref.app()), clock.instant())
          .all()
          .forEach(backups::delete);
    } catch (ApplicationFailure e) {
      LOG.atWarn()
          .addKeyValue("namespace", ref.namespace())
          .addKeyValue("app", ref.app())
          .log("Backups that failed long ago are not deleted: {}", e.getOriginalMessage());
    }
  }

  private BackupStatus ended(BackupRef ref, Backup found, End end) {
    var before = Objects.requireNonNullElseGet(found.getStatus(), () -> BackupStatus.pending(""));
    var named = before.runId() == null ? BackupStatuses.takenOver(ref, before) : before;
    var hidden = secrets.hide(String.valueOf(named.appUid()), end.why());
    var why = hidden.isEmpty() ? BackupStatuses.withoutPods(named.withoutPods()) : hidden;
    var message = why.isEmpty() ? null : Excerpt.start(why, LONGEST_MESSAGE);
    return named.ended(end.phase(), message, Timestamp.of(clock.instant()));
  }

  private void report(BackupRef ref, Backup backup, Optional<App> app) {
    var status = backup.getStatus();
    events.ended(backup, ref, status);
    app.filter(it -> isOf(it, status)).ifPresent(it -> events.ended(it, ref, status));
  }

  /** A later App of the same name is another one. */
  private static boolean isOf(App app, BackupStatus status) {
    return status.appUid() == null || status.appUid().equals(app.getMetadata().getUid());
  }
}
