package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlannedBackupTest {
  private static final Map<String, Object> SETTINGS =
      Map.of("enabled", false, "store", "nightly", "beforeUpgrade", true);

  private final Map<String, Object> app = new HashMap<>();
  private final Map<String, Object> components = new HashMap<>();

  PlannedBackupTest() {
    app.put("spec.runtime.version", "7.2");
    app.put("spec.backup", SETTINGS);
    for (var i = 0; i < 2; i++) {
      components.put(
          "items.%d.spec.backup".formatted(i), Map.of("enabled", false, "store", "nightly"));
    }
  }

  @Test
  void shouldGoBeforeAnUpgrade() {
    assertThat(backup(false).problems()).isEmpty();
    assertThat(backup(false).change())
        .hasValueSatisfying(
            change -> {
              assertThat(change.component()).isEqualTo("cache");
              assertThat(change.description()).isEqualTo("back up to nightly before the upgrade");
            });
  }

  @Test
  void shouldGoBeforeAnUpgradeOfThePlugin() {
    app.remove("spec.runtime.version");
    app.put("spec.plugin.version", "1.1.0");
    assertThat(backup(false).change()).isPresent();
  }

  @Test
  void shouldGoBeforeNoOtherEditAndBeNoneItself() {
    app.remove("spec.runtime.version");
    assertThat(backup(false).change()).isEmpty();
    assertThat(ComponentDiff.of(fixtures().desiredApp(), fixtures().deployed())).isEmpty();
    app.put("spec.components.0.values", Map.of("databases", 32));
    assertThat(backup(false).change()).isEmpty();
  }

  @Test
  void shouldBeTakenOnceByAChange() {
    assertThat(backup(true).change()).isEmpty();
    components.put("items.0.spec.state", "Stopped");
    assertThat(backup(true).problems()).isEmpty();
  }

  @Test
  void shouldNotBeTakenUnasked() {
    app.put("spec.backup", Map.of("enabled", false, "store", "nightly"));
    assertThat(backup(false).change()).isEmpty();
    components.put("items.0.spec.state", "Stopped");
    assertThat(backup(false).problems()).isEmpty();
  }

  @Test
  void shouldNotHoldUpAnUpgradeThatHasBegun() {
    components.put(
        "items.1.metadata.annotations", Map.of("middleware.io/unfinished", "VersionUpgrade"));
    components.put("items.0.spec.backup", null);
    assertThat(backup(false).change()).isEmpty();
    assertThat(backup(false).problems()).isEmpty();
  }

  @Test
  void shouldNotBeTakenWithoutData() {
    var sentinel = List.of(fixtures().deployed().get(1));
    assertThat(new PlannedBackup(fixtures().desiredApp(), sentinel, false).change()).isEmpty();
  }

  @Test
  void shouldNotBeTakenOfGroupsThatHaveNoPods() {
    components.put("items.0.spec.groups.0.replicas", 0);
    assertThat(backup(false).change()).as("of the other group").isPresent();
    components.put("items.0.spec.groups.1.replicas", 0);
    assertThat(backup(false).change()).isEmpty();
    assertThat(backup(false).problems()).isEmpty();
  }

  @Test
  void shouldRefuseToUpgradeWhatHasNoPods() {
    components.put("items.0.spec.state", "Stopped");
    assertThat(backup(false).problems())
        .containsExactly(
            "spec.backup.beforeUpgrade: redis-nodes has no running pods, and only running pods are backed up: upgrade while the App is Running, or set it to false");
  }

  @Test
  void shouldRefuseToUpgradeWhatIsToStop() {
    app.put("spec.state", "Stopped");
    assertThat(backup(false).problems()).singleElement().asString().contains("no running pods");
  }

  @Test
  void shouldRefuseToUpgradeWhatWasNeverProvisioned() {
    components.put("items.0.metadata.annotations", Map.of("middleware.io/unfinished", "Provision"));
    assertThat(backup(false).problems())
        .containsExactly(
            "spec.backup.beforeUpgrade: redis-nodes has never been provisioned completely, so it cannot be backed up: set it to false until the App is Ready");
  }

  @Test
  void shouldRefuseToUpgradePodsThatDoNotReachTheStore() {
    components.put("items.0.spec.backup", Map.of("enabled", false, "store", "weekly"));
    assertThat(backup(false).problems())
        .containsExactly(
            "spec.backup.beforeUpgrade: the pods of redis-nodes do not reach BackupStore nightly yet: deploy spec.backup.store before the upgrade, or set it to false");
    components.put("items.0.spec.backup", null);
    assertThat(backup(false).problems()).hasSize(1);
  }

  private PlannedBackup backup(boolean taken) {
    return new PlannedBackup(fixtures().desiredApp(), fixtures().deployed(), taken);
  }

  private Fixtures fixtures() {
    return new Fixtures(
        Fixtures.ROOT,
        Map.of(
            "app",
            app,
            "components",
            components,
            "plugin",
            Map.of("spec.componentTypes.0.supports", List.of("Backup"))));
  }
}
