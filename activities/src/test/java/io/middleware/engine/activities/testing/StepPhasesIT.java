package io.middleware.engine.activities.testing;

import static io.middleware.engine.activities.testing.IntegrationTestScene.STATEFUL_SET;
import static io.middleware.engine.activities.testing.IntegrationTestScene.assertFails;
import static io.middleware.engine.activities.testing.IntegrationTestScene.configMap;
import static io.middleware.engine.activities.testing.IntegrationTestScene.data;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The phases of a step on a real API server, as a service account with few rights. */
@ExtendWith(ApiServer.class)
class StepPhasesIT {
  private final IntegrationTestScene scene;

  StepPhasesIT(LocalNamespace cluster) {
    this.scene = new IntegrationTestScene(cluster);
  }

  @Test
  void shouldDeleteWhatTheStepDeletes() {
    // Given
    scene.cluster.create(data("old", Map.of()));
    var test =
        scene.running(
            "delete: [{apiVersion: v1, kind: ConfigMap, name: old}, {apiVersion: v1, kind: ConfigMap, name: never}]");
    // When
    scene.activities.applyStep(scene.step(test));
    scene.activities.awaitConverged(scene.step(test));
    // Then
    assertThat(scene.find("old")).isNull();
  }

  @Test
  void shouldFailAtOnceWhenAManifestIsRefused() {
    // Given
    var test =
        scene.running(
            "apply: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: [1]}}]");
    // When Then
    assertFails("ApplyRefused", () -> scene.activities.applyStep(scene.step(test)))
        .hasMessageContaining("apply ConfigMap a");
  }

  @Test
  void shouldRefuseAFieldThatTheKindDoesNotHave() {
    // Given
    var test =
        scene.running(
            "apply: [{apiVersion: middleware.io/v1, kind: App, metadata: {name: a}, spec: {plugn: {}}}]");
    // When Then
    assertFails("ApplyRefused", () -> scene.activities.applyStep(scene.step(test)))
        .hasMessageContaining("plugn");
  }

  @Test
  void shouldWaitUntilAnEarlierObjectIsGone() {
    // Given
    scene.cluster.create(data("again", Map.of()));
    scene.hold("again");
    scene.cluster.named(ConfigMap.class, "again").delete();
    var test = scene.running("apply: [%s]", configMap("again"));
    // When Then
    assertFails("TimedOut", () -> scene.activities.applyStep(scene.step(test, 1)))
        .hasMessageContaining(
            "not applied in time: an earlier ConfigMap again is still being deleted");
    scene.release("again");
    scene.activities.applyStep(scene.step(test));
    assertThat(scene.creator("again")).isEqualTo(test.getMetadata().getUid());
  }

  @Test
  void shouldWaitUntilTheControllersHaveSeenWhatWasApplied() {
    // Given
    var test = scene.running("apply: [%s]", STATEFUL_SET);
    scene.activities.applyStep(scene.step(test));
    // When Then
    assertFails("TimedOut", () -> scene.activities.awaitConverged(scene.step(test, 1)))
        .hasMessageContaining("not converged in time: StatefulSet db: no observedGeneration yet");
    assertThat(scene.status(test).steps().getFirst().message())
        .isEqualTo("StatefulSet db: no observedGeneration yet");
    scene.observe("db");
    scene.activities.awaitConverged(scene.step(test));
  }

  @Test
  void shouldSayWhyThePodsOfWhatWasAppliedAreNotReady() {
    // Given
    var test =
        scene.running(
            "apply: [%s], ready: {allOf: [{cel: \"object('StatefulSet', 'db').status.readyReplicas == 1\"}]},"
                + " checks: [{name: up, within: 1s, allOf: [{cel: \"object('StatefulSet', 'db').status.readyReplicas == 1\"}]}]",
            STATEFUL_SET);
    scene.activities.applyStep(scene.step(test));
    scene.waitingPod("db-0", "ImagePullBackOff");
    // When Then
    assertFails("TimedOut", () -> scene.activities.awaitReady(scene.step(test, 1)))
        .hasMessageContaining("pod db-0: ImagePullBackOff: image i of container c");
    assertFails("CheckFailed", () -> scene.activities.checkStep(scene.step(test)))
        .hasMessageContaining("check up did not hold within 1s")
        .hasMessageContaining("pod db-0: ImagePullBackOff: image i of container c");
  }

  @Test
  void shouldSayWhatIsNotReady() {
    // Given
    var test =
        scene.running(
            "apply: [%s], ready: {allOf: [{cel: \"object('ConfigMap', 'state').data.key == 'done'\"}]}",
            configMap("state"));
    // When Then
    assertFails("TimedOut", () -> scene.activities.awaitReady(scene.step(test, 1)))
        .hasMessageContaining("ConfigMap state does not exist");
    scene.activities.applyStep(scene.step(test));
    assertFails("TimedOut", () -> scene.activities.awaitReady(scene.step(test, 1)))
        .hasMessageContaining(
            "not ready in time: object('ConfigMap', 'state').data.key = value, expected"
                + " object('ConfigMap', 'state').data.key == 'done'");
  }

  @Test
  void shouldShowWhatChecksHaveFound() {
    // Given
    var test =
        scene.running(
            "apply: [%s], checks: [{name: good, allOf: [{cel: \"objects[0].data.key == 'value'\"}]},"
                + " {name: bad, within: 1s, allOf: [{cel: \"size(objects) == 2\"}]}]",
            configMap("checked"));
    scene.activities.applyStep(scene.step(test));
    // When Then
    assertFails("CheckFailed", () -> scene.activities.checkStep(scene.step(test)))
        .hasMessageContaining(
            "check bad did not hold within 1s: size(objects) = 1, expected size(objects) == 2");
    var checks = scene.status(test).steps().getFirst().checks();
    assertThat(checks.getFirst().passed()).isTrue();
    assertThat(checks.getFirst().actual()).isEqualTo("objects[0].data.key = value");
    assertThat(checks.getLast().passed()).isFalse();
    assertThat(checks.getLast().actual()).isEqualTo("size(objects) = 1");
  }

  @Test
  void shouldWriteWhatChecksHaveFoundOnlyWhenItChanges() {
    // Given
    var test = scene.running("checks: [{name: calm, for: 6s, allOf: [{cel: \"true\"}]}]");
    var writes = new AtomicInteger();
    var live = scene.cluster.named(IntegrationTest.class, test.getMetadata().getName());
    // When
    try (var watch = live.watch(counter(writes))) {
      scene.activities.checkStep(scene.step(test));
      scene.cluster.await().until(() -> writes.get() >= 3);
    }
    // Then
    assertThat(writes).hasValueLessThan(6);
    assertThat(scene.status(test).steps().getFirst().checks().getFirst().passed()).isTrue();
  }

  private static Watcher<IntegrationTest> counter(AtomicInteger writes) {
    return new Watcher<>() {
      @Override
      public void eventReceived(Action action, IntegrationTest test) {
        writes.incrementAndGet();
      }

      @Override
      public void onClose(WatcherException cause) {}
    };
  }

  @Test
  void shouldNotShowSecrets() {
    // Given
    var test =
        scene.running(
            "apply: [{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: hunter2}}],"
                + " checks: [{name: blank, within: 0s, allOf: [{cel: \"!has(objects[0].data)\"}]}]");
    scene.activities.applyStep(scene.step(test));
    // When
    scene.activities.checkStep(scene.step(test));
    // Then
    assertThat(scene.cluster.named(Secret.class, "s").get().getData()).containsKey("password");
  }

  @Test
  void shouldNotShowSensitiveValuesOfApps() {
    // Given
    scene.cluster.createApp(
        yaml ->
            yaml.replace(
                "values: {", "values: {motto: carpe-diem, requirepass: hunter2, plain: seen, "));
    var test =
        scene.running(
            "apply: [%s], checks: [{name: shown, within: 0s, allOf: [{cel:"
                + " \"object('App', 'cache').spec.components[0].values.motto == 'x'\"}, {cel:"
                + " \"object('App', 'cache').spec.components[0].values.requirepass == 'x'\"}, {cel:"
                + " \"object('App', 'cache').spec.components[0].values.plain == 'x'\"}]}]",
            IntegrationTestScene.configMap("any"));
    scene.activities.applyStep(scene.step(test));
    // When
    assertThatThrownBy(() -> scene.activities.checkStep(scene.step(test)));
    // Then
    assertThat(scene.status(test).toString())
        .contains("seen")
        .doesNotContain("carpe-diem")
        .doesNotContain("hunter2");
  }
}
