package io.middleware.engine.planning.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Storage;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStatusBuilder;
import io.middleware.engine.api.backup.BackupStoreSpec;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.planning.Fixtures;
import io.middleware.engine.planning.app.ExistingVolumeClaim;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.render.BackupSources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackupRulesTest {
  private static final ObservedApp NOTHING = new ObservedApp(List.of(), List.of(), List.of());
  private static final BackupStoreSpec FOLDER =
      new BackupStoreSpec(null, new BackupStoreSpec.Folder("backups", null));
  private static final List<String> SHARDS = List.of("redis-nodes/shard-0", "redis-nodes/shard-1");

  @Test
  void shouldTakeABackupOfTheSameGroups() {
    assertThat(refusal(NOTHING, restoring("nightly"), backup("7.0", "nightly", SHARDS))).isEmpty();
  }

  @Test
  void shouldNameAStoreThatIsMissing() {
    assertThat(refusal(NOTHING, restoring("weekly"), backup("7.0", "nightly", SHARDS)))
        .contains(
            "spec.backup.store: BackupStore weekly does not exist in namespace shop: create it, or correct the name");
  }

  /** Also a Stop would be refused. */
  @Test
  void shouldGoOnWithoutAStoreThatWasDeletedWhileItWasUsed() {
    // Given
    var store = Map.of("enabled", false, "store", "deleted");
    var deployed =
        new Fixtures(Fixtures.ROOT, Map.of("components", Map.of("items.0.spec.backup", store)))
            .observedApp();
    var other = Map.of("enabled", false, "store", "never-there");
    // When Then
    assertThat(refusal(deployed, Map.of("spec.backup", store), null)).isEmpty();
    assertThat(refusal(NOTHING, Map.of("spec.backup", store), null).orElseThrow())
        .contains("BackupStore deleted does not exist");
    assertThat(refusal(deployed, Map.of("spec.backup", other), null).orElseThrow())
        .contains("BackupStore never-there does not exist");
  }

  @Test
  void shouldNameABackupThatIsMissingOrBad() {
    assertThat(refusal(NOTHING, restoring("nightly"), null).orElseThrow())
        .startsWith(
            "spec.restoreFrom.backup: Backup monday does not exist in namespace shop, has not succeeded, or names copies that are not its own");
  }

  @Test
  void shouldWantTheStoreOfTheBackup() {
    assertThat(refusal(NOTHING, restoring("nightly"), backup("7.0", "other", SHARDS)))
        .contains("spec.backup.store: Backup monday is in BackupStore other, not in nightly");
  }

  @Test
  void shouldRestoreIntoANextVersionButNotIntoAnOlderOne() {
    var app = restoring("nightly");
    app.put("spec.runtime", Map.of("name", "redis", "version", "7.2"));
    assertThat(refusal(NOTHING, app, backup("7.0", "nightly", SHARDS))).isEmpty();
    assertThat(refusal(NOTHING, app, backup("8.0", "nightly", SHARDS)).orElseThrow())
        .contains("it is a backup of redis 8.0, which redis 7.2 cannot be expected to read");
    app.put("spec.runtime", Map.of("name", "valkey", "version", "9.0"));
    assertThat(refusal(NOTHING, app, backup("7.0", "nightly", SHARDS))).isEmpty();
  }

  @Test
  void shouldLeaveNoGroupEmptyAndNoCopyOut() {
    var less = backup("7.0", "nightly", SHARDS.subList(0, 1));
    assertThat(refusal(NOTHING, restoring("nightly"), less).orElseThrow())
        .contains(
            "has copies of redis-nodes/shard-0, but this App would restore redis-nodes/shard-0, redis-nodes/shard-1");
  }

  /** The group had no pods when the Backup was taken. */
  @Test
  void shouldLeaveAGroupWithoutPodsEmpty() {
    var less = backup("7.0", "nightly", SHARDS.subList(0, 1));
    var app = restoring("nightly");
    app.put("spec.components.0.groups.1.replicas", 0);
    assertThat(refusal(NOTHING, app, less)).isEmpty();
  }

  @Test
  void shouldNotRestoreOverVolumesThatAreLeft() {
    var claim =
        new ExistingVolumeClaim(
            "data-cache-redis-nodes-shard-0-0",
            "redis-nodes",
            "shard-0",
            new Storage("1Gi", "fast"),
            Optional.empty());
    var left = new ObservedApp(List.of(), List.of(claim), List.of());
    assertThat(refusal(left, restoring("nightly"), backup("7.0", "nightly", SHARDS)).orElseThrow())
        .contains("PersistentVolumeClaim data-cache-redis-nodes-shard-0-0 still exists with data");
  }

  @Test
  void shouldWantAStoreWhereAgentsTakeTheBackups() {
    var app = new HashMap<String, Object>();
    app.put("spec.backup", Map.of("enabled", true, "schedule", "@daily"));
    assertThat(refusal(NOTHING, app, null).orElseThrow())
        .contains("spec.backup.store: name the BackupStore that the agents write to");
  }

  @Test
  void shouldRestoreTheRestOfAnAppThatIsHalfDeployed() {
    var all = new Fixtures(Fixtures.ROOT, Map.of()).deployed();
    var withoutData = new ObservedApp(all.subList(1, 2), List.of(), List.of());
    assertThat(refusal(withoutData, restoring("nightly"), backup("7.0", "nightly", SHARDS)))
        .isEmpty();
    var withData = new ObservedApp(all.subList(0, 1), List.of(), List.of());
    assertThat(refusal(withData, restoring("nightly"), null)).isEmpty();
  }

  @Test
  void shouldKeepTheFieldWhileItIsNeeded() {
    var begun =
        new Fixtures(
            Fixtures.ROOT,
            Map.of("components", Map.of("items.0.spec.restoreFrom", Map.of("backup", "monday"))));
    var app = new HashMap<String, Object>();
    app.put("spec.backup", Map.of("enabled", false, "store", "nightly"));
    assertThat(refusal(begun.observedApp(), app, backup("7.0", "nightly", SHARDS)).orElseThrow())
        .contains("redis-nodes is being filled from Backup monday: keep the field");
  }

  /** The copy may be corrupt, or need more room than there is. */
  @Test
  void shouldLetGoOfARestoreThatHasFailed() {
    var failed = failed();
    var app = new HashMap<String, Object>();
    app.put("spec.backup", Map.of("enabled", false, "store", "nightly"));
    assertThat(refusal(failed.observedApp(), app, null)).isEmpty();
  }

  @Test
  void shouldBeginAFailedRestoreAgainWithAnotherBackup() {
    // Given
    var observed = failed().observedApp();
    var tuesday = new HashMap<>(restoring("nightly"));
    tuesday.put("spec.restoreFrom", Map.of("backup", "tuesday"));
    // When Then
    assertThat(refusal(observed, tuesday, backup("7.0", "nightly", SHARDS))).isEmpty();
    assertThat(refusal(observed, tuesday, null).orElseThrow())
        .contains("Backup tuesday does not exist");
    assertThat(
            refusal(observed, tuesday, backup("7.0", "nightly", SHARDS.subList(0, 1)))
                .orElseThrow())
        .contains("but this App would restore redis-nodes/shard-0, redis-nodes/shard-1");
  }

  @Test
  void shouldNotTakeAnotherBackupForPodsThatServe() {
    // Given
    var begun =
        new Fixtures(
            Fixtures.ROOT,
            Map.of("components", Map.of("items.0.spec.restoreFrom", Map.of("backup", "monday"))));
    var tuesday = new HashMap<>(restoring("nightly"));
    tuesday.put("spec.restoreFrom", Map.of("backup", "tuesday"));
    // When Then
    assertThat(
            refusal(begun.observedApp(), tuesday, backup("7.0", "nightly", SHARDS)).orElseThrow())
        .contains("redis-nodes is being filled from Backup monday: keep the field as it is");
  }

  /** Never provisioned, with a restore from Backup monday. */
  private static Fixtures failed() {
    return new Fixtures(
        Fixtures.ROOT,
        Map.of(
            "components",
            Map.of(
                "items.0.spec.restoreFrom",
                Map.of("backup", "monday"),
                "items.0.metadata",
                Map.of(
                    "name",
                    "cache-redis-nodes",
                    "generation",
                    3,
                    "annotations",
                    Map.of("middleware.io/unfinished", "NeverFinished,Provision")))));
  }

  @Test
  void shouldNotNeedTheBackupLater() {
    var fixtures = new Fixtures(Fixtures.ROOT, Map.of());
    assertThat(refusal(fixtures.observedApp(), restoring("nightly"), null)).isEmpty();
  }

  private static Map<String, Object> restoring(String store) {
    return new HashMap<>(
        Map.of(
            "spec.backup", Map.of("enabled", false, "store", store),
            "spec.restoreFrom", Map.of("backup", "monday")));
  }

  private static Optional<String> refusal(
      ObservedApp observed, Map<String, Object> app, BackupStatus monday) {
    var fixtures =
        new Fixtures(
            Fixtures.ROOT,
            Map.of(
                "app", app, "plugin", Map.of("spec.componentTypes.0.supports", List.of("Backup"))));
    var sources =
        new BackupSources() {
          @Override
          public Optional<BackupStoreSpec> store(String namespace, String name) {
            return Optional.of(FOLDER).filter(it -> name.equals("nightly"));
          }

          @Override
          public Optional<BackupStoreSpec> lastKnownStore(String namespace, String name) {
            return Optional.of(FOLDER).filter(it -> name.equals("deleted"));
          }

          @Override
          public Optional<BackupStatus> backup(String namespace, String name) {
            return Optional.ofNullable(monday);
          }
        };
    return new BackupRules(fixtures.desiredApp(), observed, "shop", sources)
        .refusal()
        .map(Refusal::message);
  }

  private static BackupStatus backup(String version, String store, List<String> groups) {
    return BackupStatusBuilder.builder()
        .phase(BackupStatus.SUCCEEDED)
        .runtime(new RuntimeRef("redis", version))
        .store(store)
        .copies(groups.stream().flatMap(BackupRulesTest::copy).toList())
        .build();
  }

  private static Stream<BackupCopy> copy(String group) {
    return Stream.of(
        new BackupCopy(
            group,
            "pod",
            "uid",
            1,
            "key",
            "location",
            1L,
            "sha256:1",
            "7.0",
            "2026-11-25T00:00:00Z"));
  }
}
