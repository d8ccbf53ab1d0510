package io.middleware.engine.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.RestoreSource;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStatusBuilder;
import io.middleware.engine.api.backup.BackupStoreSpec;
import io.middleware.engine.api.backup.SecretRef;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BackupContextTest {
  private static final BackupStoreSpec S3 =
      new BackupStoreSpec(
          new BackupStoreSpec.S3(
              "https://s3.example.com", "backups", null, "eu-1", true, new SecretRef("s3-key")),
          null);
  private static final BackupStoreSpec FOLDER =
      new BackupStoreSpec(null, new BackupStoreSpec.Folder("backups", "redis"));
  private static final BackupSettings NIGHTLY =
      new BackupSettings(true, "@daily", 7, "nightly", null, null);

  @Test
  void shouldShowABucketWithoutItsSecret() {
    assertThat(context(S3, "shard-0", NIGHTLY, null).backup())
        .containsEntry(
            "store",
            Map.of(
                "name", "nightly",
                "endpoint", "https://s3.example.com",
                "bucket", "backups",
                "region", "eu-1",
                "pathStyle", true,
                "secretName", "s3-key"));
  }

  @Test
  void shouldShowAFolder() {
    assertThat(context(FOLDER, "shard-0", NIGHTLY, null).backup())
        .containsEntry("store", Map.of("name", "nightly", "claimName", "backups", "path", "redis"));
  }

  @Test
  void shouldNameAStoreThatIsMissing() {
    var context = context(null, "shard-0", NIGHTLY, null);
    assertThatThrownBy(context::backup)
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("BackupStore nightly does not exist in namespace shop");
  }

  @Test
  void shouldRestoreNothingIntoAGroupThatIsProvisioned() {
    assertThat(context(S3, "shard-0", NIGHTLY, null).restore()).isEmpty();
  }

  @Test
  void shouldShowTheCopyOfTheGroup() {
    assertThat(context(S3, "shard-0", NIGHTLY, "monday").restore())
        .isEqualTo(Map.of("key", "shop/cache/monday/nodes/shard-0.1", "checksum", "sha256:1"));
  }

  @Test
  void shouldNeverBeginEmptyWhereACopyIsMissing() {
    var other = context(S3, "shard-1", NIGHTLY, "monday");
    assertThatThrownBy(other::restore)
        .hasMessage("Backup monday in namespace shop has no copy of this group");
    var gone = context(S3, "shard-0", NIGHTLY, "sunday");
    assertThatThrownBy(gone::restore)
        .hasMessage(
            "Backup sunday in namespace shop does not exist, has not succeeded, or names copies that are not its own");
  }

  @Test
  void shouldRestoreNothingIntoAGroupWithoutPods() {
    assertThat(context(S3, "shard-1", NIGHTLY, "monday", 0).restore()).isEmpty();
  }

  private static BackupContext context(
      BackupStoreSpec store, String group, BackupSettings settings, String restoreFrom) {
    return context(store, group, settings, restoreFrom, 3);
  }

  private static BackupContext context(
      BackupStoreSpec store,
      String group,
      BackupSettings settings,
      String restoreFrom,
      int replicas) {
    var sources =
        new BackupSources() {
          @Override
          public Optional<BackupStoreSpec> store(String namespace, String name) {
            return Optional.ofNullable(store);
          }

          @Override
          public Optional<BackupStatus> backup(String namespace, String name) {
            return name.equals("monday") ? Optional.of(monday()) : Optional.empty();
          }
        };
    var source = restoreFrom == null ? null : new RestoreSource(restoreFrom);
    var spec =
        new GroupSpec(
            "cache", "nodes", "redis", group, null, null, null, replicas, null, null, null, null,
            null, null, null, settings, null, source, null);
    return new BackupContext(sources, "shop", spec);
  }

  private static BackupStatus monday() {
    var copy =
        new BackupCopy(
            "nodes/shard-0",
            "cache-nodes-shard-0-1",
            "uid",
            1,
            "shop/cache/monday/nodes/shard-0.1",
            "s3://backups/…",
            5L,
            "sha256:1",
            "7.2",
            "2026-11-25T03:00:10Z");
    return BackupStatusBuilder.builder()
        .phase(BackupStatus.SUCCEEDED)
        .store("nightly")
        .copies(List.of(copy))
        .build();
  }
}
