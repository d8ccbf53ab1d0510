package io.middleware.engine.activities.backup;

import com.google.common.hash.Hashing;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.workflows.port.BackupActivities.GroupCopy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The keys of copies in the store, and the ids by which agents know a repeat. */
final class CopyKeys {
  static final int LONGEST_CHECKSUM = 128;

  /** One word: it becomes a line of the file that says what to restore. */
  private static final String CHECKSUM = "[A-Za-z0-9+/=:._-]{1,%d}".formatted(LONGEST_CHECKSUM);

  private static final String NAME = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
  private static final String ID = NAME + "/" + NAME;

  /** Of the uid, so that a later Backup of the same name has keys of its own. */
  private static final int UID_LENGTH = 8;

  private CopyKeys() {}

  /**
   * {@code <namespace>/<app>/<backup>-<uid>/<component>/<group>.<attempt>}; below the name of the
   * cluster if it has one.
   */
  static String key(GroupCopy copy, Backup backup, int attempt) {
    var ref = copy.backup();
    var id = BackupCopy.id(copy.group().component(), copy.group().group());
    return WorkflowIds.below(ref.cluster(), "%s/%s.%d".formatted(folder(backup), id, attempt));
  }

  /**
   * Whether the copy has such a key of this Backup. Any other one is somebody else's copy: whoever
   * can write the status of a Backup must not have it deleted, overwritten or restored.
   */
  static boolean isOf(Backup backup, BackupCopy copy) {
    var own = "(?:" + NAME + "/)?%s/%s\\.[0-9]{1,4}";
    return copy.key() != null
        && copy.id() != null
        && copy.id().matches(ID)
        && (copy.checksum() == null || isChecksum(copy.checksum()))
        && backup.getSpec() != null
        && copy.key()
            .matches(own.formatted(Pattern.quote(folder(backup)), Pattern.quote(copy.id())));
  }

  /** Whether a text may be the checksum of a copy. */
  static boolean isChecksum(String text) {
    return text.matches(CHECKSUM);
  }

  private static String folder(Backup backup) {
    var metadata = backup.getMetadata();
    var uid = metadata.getUid();
    return "%s/%s/%s-%s"
        .formatted(
            metadata.getNamespace(),
            backup.getSpec().app(),
            metadata.getName(),
            uid.substring(0, Math.min(UID_LENGTH, uid.length())));
  }

  /** The keys of all attempts to copy the group: an earlier one may have left something. */
  static List<String> all(BackupCopy copy) {
    if (copy.key() == null) {
      return List.of();
    }
    var attempts = copy.attempts() == null ? 1 : copy.attempts();
    var end = "." + attempts;
    if (!copy.key().endsWith(end)) {
      return List.of(copy.key());
    }
    var base = copy.key().substring(0, copy.key().length() - end.length());
    return IntStream.rangeClosed(1, attempts).mapToObj(number -> base + "." + number).toList();
  }

  /** The same as long as it is the same attempt on the same pod. */
  static String operation(String action, Backup backup, BackupCopy copy) {
    var parts =
        String.join(
            "/",
            backup.getMetadata().getUid(),
            copy.id(),
            copy.podUid(),
            String.valueOf(copy.attempts()));
    return action + "-" + Hashing.sha256().hashString(parts, StandardCharsets.UTF_8);
  }
}
