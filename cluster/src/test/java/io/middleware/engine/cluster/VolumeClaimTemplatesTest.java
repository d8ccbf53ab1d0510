package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
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
            new VolumeClaimSize("data-db", true, new Quantity("2Gi")),
            new VolumeClaimSize("logs-db", true, new Quantity("1Gi")));
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
    assertThat(sizes).containsExactly(new VolumeClaimSize("backup", false, new Quantity("5Gi")));
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
  void shouldCountOnlyALargerSizeAsGrowth() {
    assertThat(VolumeClaimTemplates.isGrown(tree("2Gi", "1Gi"), live)).isTrue();
    assertThat(VolumeClaimTemplates.isGrown(tree("1024Mi", "1Gi"), live)).isFalse();
    assertThat(VolumeClaimTemplates.isGrown(tree("500Mi", "1Gi"), live)).isFalse();
  }

  @Test
  void shouldKeepLiveSizesThatAreSmaller() {
    // Given
    var rendered = tree("2Gi", "500Mi");
    // When
    var ungrown = VolumeClaimTemplates.ungrown(rendered, live);
    // Then
    assertThat(ungrown).isEqualTo(tree("1Gi", "500Mi"));
    assertThat(rendered).as("untouched").isEqualTo(tree("2Gi", "500Mi"));
  }

  @Test
  void shouldSetTheRenderedSizesInAnObject() {
    // When
    VolumeClaimTemplates.grow(live, tree("2Gi", "1Gi"));
    // Then
    assertThat(live.<Object>get("spec")).isEqualTo(set("2Gi", "1Gi").<Object>get("spec"));
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
