package io.middleware.engine.watcher.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.middleware.engine.api.App;
import io.middleware.engine.process.objects.FieldOwners;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * The id of a control request. Reading the same annotation twice, before and after a crash or in
 * two watchers, gives the same id. Removing the annotation and writing the same value again later
 * gives a new id, for example for a second cancel that stops a rollback. The difference is the time
 * when the annotation was last set, which the API server records for each field.
 */
final class RequestId {
  private static final int BYTES = 16;

  private RequestId() {}

  static String of(App app, String annotation, String value) {
    var text =
        String.join("\n", app.getMetadata().getUid(), annotation, setAt(app, annotation), value);
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** In RFC 3339 and whole seconds; later than any time when it is not recorded. */
  static String setAt(App app, String annotation) {
    return FieldOwners.of(app, "metadata", "annotations", annotation)
        .map(ManagedFieldsEntry::getTime)
        .filter(Objects::nonNull)
        .max(String::compareTo)
        .orElse("9999");
  }
}
