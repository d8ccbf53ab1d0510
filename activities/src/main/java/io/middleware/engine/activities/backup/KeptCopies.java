package io.middleware.engine.activities.backup;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.status.EngineEvent;
import io.middleware.engine.cluster.status.EngineEvent.Kind;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.process.EngineMetric;
import io.middleware.engine.workflows.port.BackupRef;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records copies that stay in their store when their Backup goes. The Backup's namespace may go as
 * well, and takes no more events then, so they are also recorded in the engine's own namespace, on
 * the Plugin that the Backup was taken with, in the log and in a metric.
 */
final class KeptCopies {
  private static final Logger LOG = LoggerFactory.getLogger(KeptCopies.class);

  private final EventRecorder events;
  private final Plugins plugins;
  private final Counter counter;

  KeptCopies(EventRecorder events, Plugins plugins, MeterRegistry meters) {
    this.events = events;
    this.plugins = plugins;
    this.counter = EngineMetric.BACKUP_COPIES_KEPT.counter(meters);
  }

  /**
   * Records them; never fails for want of a place to do so.
   *
   * @param why they stay, for people
   */
  void report(Backup backup, BackupRef ref, String why, List<String> locations) {
    counter.increment(locations.size());
    LOG.atWarn()
        .addKeyValue("namespace", ref.namespace())
        .addKeyValue("app", ref.app())
        .addKeyValue("backup", ref.name())
        .addKeyValue("copies", String.join(", ", locations))
        .log("copies of a Backup that is removed stay in the store, as {}", why);
    var note =
        "%s is removed, but its copies stay, as %s; delete them by hand: %s"
            .formatted(ref, why, String.join(", ", locations));
    record(backup, "removed", note);
  }

  /** Somebody has written keys into the Backup's status that its run did not. */
  void reportForeign(Backup backup, BackupRef ref, List<String> keys) {
    var note =
        "%s is removed; nothing is deleted under the keys in its status that are not its own: %s; find out who has written its status"
            .formatted(ref, String.join(", ", keys));
    record(backup, "foreign", note);
  }

  private void record(Backup backup, String what, String note) {
    var key = what + "/" + backup.getMetadata().getUid();
    record((HasMetadata) backup, key, note);
    plugin(backup).ifPresent(plugin -> record(plugin, key, note));
  }

  private void record(HasMetadata about, String key, String note) {
    var event = new EngineEvent(key, Kind.WARNING, Reasons.BACKUP_REMOVED, "Backup", note);
    events.record(about, event);
  }

  private Optional<HasMetadata> plugin(Backup backup) {
    try {
      return Optional.ofNullable(backup.getStatus()).map(BackupStatus::plugin).map(plugins::read);
    } catch (ApplicationFailure e) {
      return Optional.empty(); // the Plugin is gone as well
    }
  }
}
