package io.middleware.engine.render;

import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.RestoreSource;
import io.middleware.engine.api.backup.BackupStoreSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;

/** The template variables of a group's backups. */
record BackupContext(BackupSources sources, String namespace, GroupSpec group) {

  /** The variable {@code backup}. */
  Map<String, Object> backup() {
    var settings = group.backup();
    if (settings == null) {
      return Map.of();
    }
    Map<String, Object> known = new LinkedHashMap<>();
    put(known, "schedule", settings.schedule());
    put(known, "retention", settings.retention());
    put(known, "timeZone", settings.timeZone());
    known.put("enabled", Boolean.TRUE.equals(settings.enabled()));
    if (settings.store() != null) {
      known.put("store", store(settings));
    }
    return known;
  }

  /** The variable {@code restore}. */
  Map<String, Object> restore() {
    return group.restoreFrom() == null ? Map.of() : restore(group.restoreFrom());
  }

  private Map<String, Object> store(BackupSettings settings) {
    Map<String, Object> known = new LinkedHashMap<>();
    known.put("name", settings.store());
    var spec =
        sources
            .store(namespace, settings.store())
            .or(() -> sources.lastKnownStore(namespace, settings.store()))
            .orElseThrow(
                () ->
                    new NoSuchElementException(
                        "BackupStore %s does not exist in namespace %s"
                            .formatted(settings.store(), namespace)));
    if (spec.s3() != null) {
      s3(known, spec.s3());
    } else if (spec.folder() != null) {
      put(known, "claimName", spec.folder().claimName());
      put(known, "path", spec.folder().path());
    }
    return known;
  }

  private static void s3(Map<String, Object> known, BackupStoreSpec.S3 s3) {
    put(known, "endpoint", s3.endpoint());
    put(known, "bucket", s3.bucket());
    put(known, "prefix", s3.prefix());
    put(known, "region", s3.region());
    put(known, "pathStyle", s3.pathStyle());
    put(known, "secretName", s3.secretRef().name());
  }

  /**
   * A group must never begin empty because its copy is missing; one without pods does not begin.
   */
  private Map<String, Object> restore(RestoreSource source) {
    var backup =
        sources
            .backup(namespace, source.backup())
            .orElseThrow(
                () ->
                    missing(
                        source,
                        "does not exist, has not succeeded, or names copies that are not its own"));
    var copy = backup.copy(group.component(), group.group());
    if (!backup.covers(group.component())
        || copy.isEmpty() && Integer.valueOf(0).equals(group.replicas())) {
      return Map.of();
    }
    return copy.map(it -> Map.<String, Object>of("key", it.key(), "checksum", it.checksum()))
        .orElseThrow(() -> missing(source, "has no copy of this group"));
  }

  private NoSuchElementException missing(RestoreSource source, String why) {
    return new NoSuchElementException(
        "Backup %s in namespace %s %s".formatted(source.backup(), namespace, why));
  }

  private static void put(Map<String, Object> map, String key, Object value) {
    if (value != null) {
      map.put(key, value);
    }
  }
}
