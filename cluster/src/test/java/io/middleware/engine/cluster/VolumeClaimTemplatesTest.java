package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VolumeClaimTemplatesTest {
  private final GenericKubernetesResource live = set("1Gi", "1Gi");

  @Test
  void shouldFindTheVolumeClaimsOfEachTemplateByNumber() {
    // When
    var sizes = VolumeClaimTemplates.sizes("StatefulSet", "db", tree("2Gi", "1Gi"));
    // Then
    assertThat(sizes)
        .containsExactlyInAnyOrder(
            new VolumeClaimSize("data-db", true, new Quantity("2Gi"), Optional.empty()),
            new VolumeClaimSize("logs-db", true, new Quantity("1Gi"), Optional.empty()));
    assertThat(sizes.getFirst().isOf(sizes.getFirst().name() + "-17")).isTrue();
    assertThat(sizes)
        .noneMatch(
            size -> size.isOf("data-db") || size.isOf("data-db-x-0") || size.isOf("data-db2-0"));
  }

  @Test
  void shouldFindAVolumeClaimThatIsAnObject() {
    // Given
    var claim =
        Map.<String, Object>of(
            "spec", Map.of("resources", Map.of("requests", Map.of("storage", "5Gi"))));
    // When
    var sizes = VolumeClaimTemplates.sizes("PersistentVolumeClaim", "backup", claim);
    // Then
    assertThat(sizes)
        .containsExactly(
            new VolumeClaimSize("backup", false, new Quantity("5Gi"), Optional.empty()));
    assertThat(sizes.getFirst().isOf("backup-0")).isFalse();
  }

  @Test
  void shouldIgnoreASizeThatIsNotValid() {
    assertThat(VolumeClaimTemplates.sizes("StatefulSet", "db", tree("much", "1Gi"))).hasSize(1);
    assertThat(VolumeClaimTemplates.sizes("StatefulSet", "db", tree("", "1Gi"))).hasSize(1);
    assertThat(VolumeClaimTemplates.sizes("StatefulSet", "db", Map.of("spec", "none"))).isEmpty();
    assertThat(VolumeClaimTemplates.sizes("Service", "db", tree("2Gi", "1Gi"))).isEmpty();
  }

  @Test
  void shouldCompareSizesAndClassesByTemplate() {
    assertThat(VolumeClaimTemplates.differ(tree("2Gi", "1Gi"), live)).isTrue();
    assertThat(VolumeClaimTemplates.differ(tree("1024Mi", "1Gi"), live)).isFalse();
    assertThat(VolumeClaimTemplates.differ(tree("500Mi", "1Gi"), live)).isTrue();
    assertThat(VolumeClaimTemplates.differ(ofClass("fast"), live)).isTrue();
    assertThat(VolumeClaimTemplates.haveSameNames(ofClass("fast"), live)).isTrue();
    assertThat(VolumeClaimTemplates.haveSameNames(Map.of(), live)).isFalse();
  }

  @Test
  void shouldKeepLiveSizesAndClasses() {
    // Given
    var rendered = tree("2Gi", "500Mi");
    // When
    var deployed = VolumeClaimTemplates.asDeployed(rendered, live);
    // Then
    assertThat(deployed).isEqualTo(tree("1Gi", "1Gi"));
    assertThat(rendered).as("untouched").isEqualTo(tree("2Gi", "500Mi"));
    assertThat(VolumeClaimTemplates.asDeployed(ofClass("fast"), live))
        .isEqualTo(tree("1Gi", "1Gi"));
  }

  @Test
  void shouldKeepAllLiveTemplatesWhereOneIsAddedOrDropped() {
    // Given
    var without = Map.<String, Object>of("spec", Map.of("replicas", 3));
    // When Then
    assertThat(VolumeClaimTemplates.asDeployed(without, live))
        .isEqualTo(Map.of("spec", set("1Gi", "1Gi").<Object>get("spec")));
    VolumeClaimTemplates.replace(live, without);
    assertThat(live.<Object>get("spec", "volumeClaimTemplates")).isEqualTo(List.of());
  }

  @Test
  void shouldSetTheRenderedTemplatesInAnObject() {
    // When
    VolumeClaimTemplates.replace(live, tree("2Gi", "1Gi"));
    // Then
    assertThat(live.<Object>get("spec")).isEqualTo(set("2Gi", "1Gi").<Object>get("spec"));
  }

  @SuppressWarnings("unchecked") // what YAML gives
  private static Map<String, Object> ofClass(String name) {
    var set = set("1Gi", "1Gi");
    var data = ((List<Map<String, Object>>) set.<Object>get("spec", "volumeClaimTemplates")).get(0);
    ((Map<String, Object>) data.get("spec")).put("storageClassName", name);
    return set.getAdditionalProperties();
  }

  private static Map<String, Object> tree(String data, String logs) {
    return set(data, logs).getAdditionalProperties();
  }

  private static GenericKubernetesResource set(String data, String logs) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: db}
        spec:
          replicas: 3
          volumeClaimTemplates:
          - {metadata: {name: data}, spec: {resources: {requests: {storage: %s}}}}
          - {metadata: {name: logs}, spec: {resources: {requests: {storage: %s}}}}
        """
            .formatted(data, logs),
        GenericKubernetesResource.class);
  }
}
