package io.middleware.engine.planning.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.GroupSpecBuilder;
import io.middleware.engine.api.NamedVolume;
import io.middleware.engine.api.plugin.VolumeOffer;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RenderedVolumesTest {
  private static final List<VolumeOffer> OFFERS = List.of(new VolumeOffer("wal", null, null));

  @Test
  void shouldLetPassWhatIsMadeAsAsked() {
    assertThat(problem("{metadata: {name: wal}, spec: {resources: {requests: {storage: 1024Mi}}}}"))
        .isEmpty();
    assertThat(new RenderedVolumes(GroupSpecBuilder.builder().build(), OFFERS, List.of()).problem())
        .isEmpty();
  }

  @Test
  void shouldRefuseATemplateWhoseClaimsWouldBeTakenForThoseOfAVolume() {
    var wal = "{metadata: {name: wal}, spec: {resources: {requests: {storage: 1Gi}}}}";
    assertThat(problem(wal + ", {metadata: {name: wal-archive}}"))
        .contains(
            "the volumeClaimTemplate wal-archive begins with wal-, so that its claims cannot be told from those of volume wal: rename it");
    assertThat(problem(wal + ", {metadata: {name: walarchive}}")).isEmpty();
  }

  @Test
  void shouldRefuseAVolumeThatNoTemplateMakes() {
    assertThat(problem("{metadata: {name: wal-2}, spec: {resources: {requests: {storage: 1Gi}}}}"))
        .contains(
            "no StatefulSet has a volumeClaimTemplate wal with a size, for the volume that the App asks for");
  }

  @Test
  void shouldRefuseAVolumeThatWouldGrowWithAnother() {
    assertThat(problem("{metadata: {name: wal}, spec: {resources: {requests: {storage: 50Gi}}}}"))
        .contains(
            "the volumeClaimTemplate wal asks for 50Gi, and the App for 1Gi: its size must be ${volumes['wal'].size}");
  }

  @SuppressWarnings("unchecked") // what YAML gives
  private static Optional<String> problem(String template) {
    Map<String, Object> tree =
        Serialization.unmarshal(
            "spec: {volumeClaimTemplates: [%s]}".formatted(template), Map.class);
    var group =
        GroupSpecBuilder.builder().volumes(List.of(new NamedVolume("wal", "1Gi", null))).build();
    var set = new RenderedObject(new ObjectKind("apps/v1", "StatefulSet"), "cache-db-g", tree);
    return new RenderedVolumes(group, OFFERS, List.of(set)).problem();
  }
}
