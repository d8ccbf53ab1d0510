package io.middleware.engine.activities.testing;

import static io.middleware.engine.activities.testing.IntegrationTestScene.configMap;
import static io.middleware.engine.activities.testing.IntegrationTestScene.data;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test deletes what it has created, and nothing else. */
@ExtendWith(ApiServer.class)
class TestCleanUpIT {
  private final IntegrationTestScene scene;

  TestCleanUpIT(LocalNamespace cluster) {
    this.scene = new IntegrationTestScene(cluster);
  }

  @Test
  void shouldLabelOnlyWhatItCreates() {
    // Given
    var before = scene.cluster.create(data("before", Map.of("a", "1")));
    var others = data("others", Map.of("a", "1"));
    others.getMetadata().setLabels(Map.of(Labels.TEST_CREATED_BY, "another"));
    scene.cluster.create(others);
    var test =
        scene.running(
            "apply: [%s, %s, %s]", configMap("new"), configMap("before"), configMap("others"));
    // When
    scene.activities.applyStep(scene.step(test));
    scene.activities.applyStep(scene.step(test));
    // Then
    assertThat(scene.creator("new")).isEqualTo(test.getMetadata().getUid());
    assertThat(scene.creator("before")).isNull();
    assertThat(scene.creator("others")).isEqualTo("another");
    assertThat(scene.cluster.now(before).getData()).isEqualTo(Map.of("a", "1", "key", "value"));
    assertThat(scene.status(test).steps().getFirst().phase()).isEqualTo("Applying");
    assertThat(scene.status(test).step()).isEqualTo("up");
  }

  @Test
  void shouldDeleteWhatItHasCreatedAndNothingElse() {
    // Given
    scene.cluster.create(data("kept", Map.of()));
    scene.cluster.create(data("unrelated", Map.of()));
    var test = scene.running("apply: [%s, %s]", configMap("gone"), configMap("kept"));
    scene.activities.applyStep(scene.step(test));
    // When
    var left = scene.activities.cleanUp(scene.cleanUp(test, "Passed", 30));
    // Then
    assertThat(left).isEmpty();
    assertThat(scene.find("gone")).isNull();
    assertThat(scene.find("kept")).isNotNull();
    assertThat(scene.find("unrelated")).isNotNull();
    assertThat(scene.activities.cleanUp(scene.cleanUp(test, "Passed", 30))).isEmpty();
  }

  /** Whoever reads the uid of a test can write its label on anything. */
  @Test
  void shouldNotDeleteWhatSomebodyElseHasLabelled() {
    // Given
    scene.cluster.create(data("kept", Map.of()));
    var test = scene.running("apply: [%s, %s]", configMap("gone"), configMap("kept"));
    scene.label("kept", test);
    scene.activities.applyStep(scene.step(test));
    scene.activities.applyStep(scene.step(test));
    scene.label("gone", test);
    // When
    var left = scene.activities.cleanUp(scene.cleanUp(test, "Passed", 30));
    // Then
    assertThat(left).isEmpty();
    assertThat(scene.find("kept")).isNotNull();
    assertThat(scene.find("gone")).isNull();
  }

  @Test
  void shouldDeleteWhatItHasCreatedAlthoughTheSpecWasEdited() {
    // Given
    var test = scene.running("apply: [%s]", configMap("created"));
    scene.activities.applyStep(scene.step(test));
    scene
        .cluster
        .named(IntegrationTest.class, test.getMetadata().getName())
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"serviceAccountName\": \"nobody\", \"cleanUp\": \"Never\","
                + " \"steps\": [{\"name\": \"up\"}]}}");
    // When
    var left = scene.activities.cleanUp(scene.cleanUp(test, "Failed", 30));
    // Then
    assertThat(left).isEmpty();
    assertThat(scene.find("created")).isNull();
  }

  @Test
  void shouldSayWhatIsLeft() {
    // Given
    var test = scene.running("apply: [%s, %s]", configMap("first"), configMap("held"));
    scene.activities.applyStep(scene.step(test));
    scene.hold("held");
    // When
    var left = scene.activities.cleanUp(scene.cleanUp(test, "Failed", 2));
    // Then
    assertThat(left)
        .containsExactly(
            "ConfigMap held is being deleted, held by finalizer shop.io/held", "ConfigMap first");
    scene.release("held");
  }

  @Test
  void shouldAskForADeletionAlthoughTheTimeIsOver() {
    // Given
    var test = scene.running("apply: [%s]", configMap("late"));
    scene.activities.applyStep(scene.step(test));
    // When
    scene.activities.cleanUp(scene.cleanUp(test, "Failed", 0));
    // Then
    assertThat(scene.find("late")).isNull();
  }

  @Test
  void shouldCleanUpAsTheTestSays() {
    // Given
    var test =
        scene.begun(
            """
            cleanUp: OnSuccess
            steps: [{name: up, apply: [%s]}]
            """
                .formatted(configMap("looked-at")));
    scene.activities.applyStep(scene.step(test));
    // When Then
    scene.activities.cleanUp(scene.cleanUp(test, "Failed", 10));
    assertThat(scene.find("looked-at")).isNotNull();
    scene.activities.cleanUp(scene.cleanUp(test, "Cancelled", 10));
    assertThat(scene.find("looked-at")).isNull();
  }
}
