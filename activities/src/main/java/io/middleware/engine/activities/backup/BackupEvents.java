package io.middleware.engine.activities.backup;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.cluster.status.EngineEvent;
import io.middleware.engine.cluster.status.EngineEvent.Kind;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.workflows.port.BackupRef;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The events of Backups, on them and on their Apps. */
final class BackupEvents {
  private static final String ACTION = "Backup";

  private final EventRecorder events;

  BackupEvents(EventRecorder events) {
    this.events = events;
  }

  /**
   * A Backup has ended.
   *
   * @param about the Backup or its App
   */
  void ended(HasMetadata about, BackupRef ref, BackupStatus status) {
    var phase = status.phase();
    var all = "%s groups, %s".formatted(status.done(), status.size());
    var more =
        Stream.of(BackupStatus.SUCCEEDED.equals(phase) ? all : "", status.message())
            .filter(text -> text != null && !text.isEmpty())
            .collect(Collectors.joining("; "));
    var note = "%s: %s: %s".formatted(ref, phase.toLowerCase(Locale.ROOT), more);
    var key = "%s/%s/ended".formatted(ref.name(), ref.runId());
    events.record(about, new EngineEvent(key, kind(phase), reason(phase), ACTION, note));
  }

  /** A run has no Backup that could say why. */
  void refused(HasMetadata about, BackupRef ref, String why) {
    var key = "%s/%s/refused".formatted(ref.name(), ref.runId());
    var note = "%s: failed: %s".formatted(ref, why);
    events.record(about, new EngineEvent(key, Kind.WARNING, Reasons.BACKUP_FAILED, ACTION, note));
  }

  private static Kind kind(String phase) {
    return BackupStatus.FAILED.equals(phase) ? Kind.WARNING : Kind.NORMAL;
  }

  private static String reason(String phase) {
    return switch (phase) {
      case BackupStatus.SUCCEEDED -> Reasons.BACKUP_SUCCEEDED;
      case BackupStatus.CANCELLED -> Reasons.BACKUP_CANCELLED;
      default -> Reasons.BACKUP_FAILED;
    };
  }
}
