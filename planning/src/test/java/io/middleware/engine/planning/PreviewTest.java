package io.middleware.engine.planning;

import static io.middleware.engine.cluster.SampleObjects.ready;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.change.PlannedObject;
import io.middleware.engine.api.change.PlannedPod;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.planning.ServerSideDryRun.DryRunObject;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PreviewTest {
  private final Preview preview = new Preview(Set.of(), Set.of("db"));

  @Test
  void shouldNameThePodsThatRestartAndThoseThatCome() {
    // When
    preview.apply(dryRunObject(set("7.2", 3)), Optional.of(set("7.0", 2)), List.of());
    // Then
    assertThat(pods()).containsExactly("db-0 Restart", "db-1 Restart", "db-2 Create");
    assertThat(objects()).containsExactly("StatefulSet db Update");
  }

  @Test
  void shouldNameThePodsThatGo() {
    // When
    preview.apply(dryRunObject(set("7.0", 1)), Optional.of(set("7.0", 3)), List.of());
    // Then
    assertThat(pods()).containsExactly("db-1 Delete", "db-2 Delete");
  }

  /** An App may have more pods than fit into an object. */
  @Test
  void shouldListTheFirstPodsAndCountTheOthers() {
    // When
    preview.apply(dryRunObject(set("7.2", 11000)), Optional.empty(), List.of());
    var status = preview.status(7, List.of(), List.of());
    // Then
    assertThat(status.pods()).hasSize(2000);
    assertThat(status.notListed()).isEqualTo(9000);
    // and the hash is of all of them
    var other = new Preview(Set.of(), Set.of("db"));
    other.apply(dryRunObject(set("7.2", 11001)), Optional.empty(), List.of());
    assertThat(other.status(7, List.of(), List.of()).hash()).isNotEqualTo(status.hash());
  }

  @Test
  void shouldCountFromTheFirstNumberOfTheSet() {
    // When
    preview.apply(
        dryRunObject(from(3, set("7.0", 2))), Optional.of(from(2, set("7.0", 2))), List.of());
    preview.delete(from(5, set("7.0", 1)));
    // Then
    assertThat(pods()).containsExactly("db-4 Create", "db-2 Delete", "db-5 Delete");
  }

  private static GenericKubernetesResource from(int start, GenericKubernetesResource set) {
    set.<Map<String, Object>>get("spec").put("ordinals", Map.of("start", start));
    return set;
  }

  @Test
  void shouldCreateWhatIsNotThere() {
    // When
    preview.apply(dryRunObject(set("7.0", 2)), Optional.empty(), List.of());
    // Then
    assertThat(pods()).containsExactly("db-0 Create", "db-1 Create");
    assertThat(objects()).containsExactly("StatefulSet db Create");
  }

  @Test
  void shouldPassOverWhatStaysTheSameWhateverTheServerWrote() {
    // Given
    var before = set("7.0", 2);
    before.getMetadata().setResourceVersion("1234");
    before.setAdditionalProperty("status", Map.of("readyReplicas", 2));
    // When
    preview.apply(dryRunObject(set("7.0", 2)), Optional.of(before), List.of());
    // Then
    assertThat(pods()).isEmpty();
    assertThat(objects()).isEmpty();
  }

  @Test
  void shouldNameThePodsThatAnEarlierChangeHasNotComeTo() {
    // Given
    var before = set("7.2", 3);
    before.setAdditionalProperty("status", Map.of("updateRevision", "new"));
    var pods = List.of(ready("db-0", "old"), ready("db-1", "new"), ready("db-2", "old"));
    // When
    preview.apply(dryRunObject(set("7.2", 2)), Optional.of(before), pods);
    // Then
    assertThat(pods()).containsExactly("db-0 Restart", "db-2 Delete");
  }

  /** For example after {@code kubectl rollout restart}. */
  @Test
  void shouldPassOverPodsThatAreOutOfDateForAnotherReason() {
    // Given
    var finished = new Preview(Set.of(), Set.of());
    var before = set("7.2", 2);
    before.setAdditionalProperty("status", Map.of("updateRevision", "new"));
    // When
    finished.apply(dryRunObject(set("7.2", 3)), Optional.of(before), List.of(ready("db-0", "old")));
    // Then
    assertThat(pods(finished)).containsExactly("db-2 Create");
  }

  @Test
  void shouldReloadThePodsOfAGroupThatRestartNot() {
    // Given
    var hot = new Preview(Set.of("cache-db-g"), Set.of("db"));
    var before = set("7.2", 3);
    before.setAdditionalProperty("status", Map.of("updateRevision", "new"));
    var pods = List.of(ready("db-0", "new"), ready("db-1", "old"), ready("db-2", "new"));
    // When
    hot.apply(dryRunObject(set("7.2", 4)), Optional.of(before), pods);
    // Then
    assertThat(pods(hot))
        .containsExactly("db-0 Reload", "db-1 Restart", "db-2 Reload", "db-3 Create");
    assertThat(hot.status(7, List.of(), List.of()).hash())
        .isNotEqualTo(hash(set("7.2", 4), before, pods));
  }

  @Test
  void shouldReloadNoPodsOfOtherGroups() {
    // Given
    var hot = new Preview(Set.of("cache-db-h"), Set.of("db"));
    // When
    hot.apply(dryRunObject(set("7.2", 3)), Optional.of(set("7.2", 3)), List.of());
    // Then
    assertThat(pods(hot)).isEmpty();
  }

  @Test
  void shouldDeleteADroppedGroupWithItsPods() {
    // When
    preview.delete(set("7.0", 2));
    // Then
    assertThat(pods()).containsExactly("db-0 Delete", "db-1 Delete");
    assertThat(objects()).containsExactly("StatefulSet db Delete");
  }

  @Test
  void shouldNameTheClaimsThatGrowAndRestartNothingForThem() {
    // Given
    var after = set("7.0", 2);
    after.<Map<String, Object>>get("spec").put("volumeClaimTemplates", List.of("larger"));
    // When
    preview.grow("data-db-0");
    preview.apply(dryRunObject(after), Optional.of(set("7.0", 2)), List.of());
    // Then
    assertThat(pods()).isEmpty();
    assertThat(objects())
        .containsExactly("PersistentVolumeClaim data-db-0 Update", "StatefulSet db Update");
  }

  @Test
  void shouldGiveTheSamePlanTheSameHashAndAnotherAnother() {
    // Given
    var same = new Preview(Set.of(), Set.of("db"));
    preview.apply(dryRunObject(set("7.2", 3)), Optional.of(set("7.0", 3)), List.of());
    same.apply(dryRunObject(set("7.2", 3)), Optional.of(set("7.0", 3)), List.of());
    // Then
    assertThat(preview.status(7, List.of(), List.of()).hash())
        .isEqualTo(same.status(7, List.of(), List.of()).hash())
        .isNotEqualTo(same.status(8, List.of(), List.of()).hash())
        .isNotEqualTo(new Preview(Set.of(), Set.of("db")).status(7, List.of(), List.of()).hash());
  }

  @Test
  void shouldGiveAnotherHashToOtherContents() {
    // Given
    var edited = new Preview(Set.of(), Set.of("db"));
    var after = set("7.2", 3);
    preview.apply(
        dryRunObject(after, Map.of("data", Map.of("mode", "strict"))),
        Optional.of(set("7.0", 3)),
        List.of());
    // When
    edited.apply(
        dryRunObject(after, Map.of("data", Map.of("mode", "lax"))),
        Optional.of(set("7.0", 3)),
        List.of());
    // Then
    assertThat(objects(edited)).isEqualTo(objects());
    assertThat(edited.status(7, List.of(), List.of()).hash())
        .isNotEqualTo(preview.status(7, List.of(), List.of()).hash());
  }

  @Test
  void shouldGiveTheSameHashInWhateverOrderAPluginIsWritten() {
    // Given
    var sorted = new Preview(Set.of(), Set.of("db"));
    var after = set("7.2", 3);
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("kind", "x");
    tree.put("data", 1);
    preview.apply(dryRunObject(after, tree), Optional.empty(), List.of());
    // When
    sorted.apply(dryRunObject(after, new TreeMap<>(tree)), Optional.empty(), List.of());
    // Then
    assertThat(sorted.status(7, List.of(), List.of()))
        .isEqualTo(preview.status(7, List.of(), List.of()));
  }

  @Test
  void shouldGiveAnotherHashToAnotherOrderOfTasks() {
    // When
    var inTurn = preview.status(7, List.of(task("7-config-db", "7-config-cache")), List.of());
    // Then
    var together = preview.status(7, List.of(task("7-config-db")), List.of());
    assertThat(inTurn.hash()).isNotEqualTo(together.hash());
  }

  private static TaskStatus task(String id, String... dependencies) {
    return new TaskStatus(
        id,
        "Config",
        "values",
        2,
        "db",
        List.of(dependencies),
        "Pending",
        0,
        3,
        "5m",
        null,
        null,
        null,
        null,
        null);
  }

  private List<String> pods() {
    return pods(preview);
  }

  private static String hash(
      GenericKubernetesResource after, GenericKubernetesResource before, List<PodState> pods) {
    var cold = new Preview(Set.of(), Set.of("db"));
    cold.apply(dryRunObject(after), Optional.of(before), pods);
    return cold.status(7, List.of(), List.of()).hash();
  }

  private static List<String> pods(Preview preview) {
    return preview.status(7, List.of(), List.of()).pods().stream().map(PreviewTest::words).toList();
  }

  private List<String> objects() {
    return objects(preview);
  }

  private static List<String> objects(Preview preview) {
    return preview.status(7, List.of(), List.of()).objects().stream()
        .map(PreviewTest::words)
        .toList();
  }

  private static String words(PlannedPod pod) {
    return pod.pod() + " " + pod.action();
  }

  private static String words(PlannedObject object) {
    return object.kind() + " " + object.name() + " " + object.action();
  }

  private static DryRunObject dryRunObject(GenericKubernetesResource after) {
    return dryRunObject(after, Map.of("kind", "x"));
  }

  private static DryRunObject dryRunObject(
      GenericKubernetesResource after, Map<String, Object> tree) {
    var rendered = new RenderedObject(new ObjectKind("apps/v1", "StatefulSet"), "db", tree);
    return new DryRunObject(rendered, Optional.of(after));
  }

  private static GenericKubernetesResource set(String image, int replicas) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata:
          name: db
          labels: {middleware.io/app: cache, middleware.io/component: db, middleware.io/group: g}
        spec: {replicas: %d, template: {spec: {containers: [{image: "%s"}]}}}
        """
            .formatted(replicas, image),
        GenericKubernetesResource.class);
  }
}
