package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.Storage;
import io.middleware.engine.planning.app.ExistingVolumeClaim;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlannedExpansionTest {
  private static final Map<String, Object> GROWN =
      Map.of("app", Map.of("spec.components.0.groups.0.storage.size", "2Gi"));

  @Test
  void shouldNameTheClaimsThatAskForLessThanTheirTemplates() {
    // Given
    var volumeClaims =
        List.of(
            volumeClaim(0, "1Gi", "local"),
            volumeClaim(1, "2Gi", "local"),
            volumeClaim(7, "1.5Gi", "local"));
    // When
    var expansion = PlannedExpansion.of(rendered(), volumeClaims);
    // Then
    assertThat(expansion.volumeClaims())
        .extracting(ExistingVolumeClaim::name)
        .containsExactly("data-cache-redis-nodes-shard-0-0", "data-cache-redis-nodes-shard-0-7");
  }

  @Test
  void shouldRefuseAClassThatCannotGrowByClassAndClaim() {
    // Given
    var asked = new ArrayList<String>();
    var expansion =
        PlannedExpansion.of(
            rendered(),
            List.of(
                volumeClaim(0, "1Gi", "local"),
                volumeClaim(1, "1Gi", "stiff"),
                volumeClaim(2, "1Gi", "stiff")));
    var fixtures = new Fixtures(Fixtures.ROOT, GROWN);
    // When
    var problems =
        expansion.problems(
            fixtures.desiredApp(),
            fixtures.observedApp(),
            name -> {
              asked.add(name);
              return name.equals("local");
            });
    // Then
    assertThat(problems)
        .containsExactly(
            "spec.components[redis-nodes].groups[shard-0].storage.size: PersistentVolumeClaim"
                + " data-cache-redis-nodes-shard-0-1 cannot grow from 1Gi to 2Gi: StorageClass"
                + " stiff does not have allowVolumeExpansion: true");
    assertThat(asked).as("each once").containsExactly("local", "stiff");
  }

  @Test
  void shouldRefuseAClaimWithoutAClass() {
    // Given
    var expansion = PlannedExpansion.of(rendered(), List.of(volumeClaim(0, "1Gi", null)));
    var fixtures = new Fixtures(Fixtures.ROOT, GROWN);
    // When
    var problems = expansion.problems(fixtures.desiredApp(), fixtures.observedApp(), name -> true);
    // Then
    assertThat(problems).singleElement().asString().endsWith("it has no StorageClass");
  }

  @Test
  void shouldNotKeepALaterEditFromBeingCarriedOut() {
    // Given
    var expansion = PlannedExpansion.of(rendered(), List.of(volumeClaim(0, "1Gi", "stiff")));
    var begun =
        new Fixtures(
            Fixtures.ROOT,
            Map.of(
                "app", Map.of("spec.components.0.groups.0.storage.size", "2Gi"),
                "components", Map.of("items.0.spec.groups.0.storage.size", "2Gi")));
    // When
    var problems = expansion.problems(begun.desiredApp(), begun.observedApp(), name -> false);
    // Then
    assertThat(problems).isEmpty();
  }

  @Test
  void shouldNameTheVolumeThatCannotGrowAndNotMindTheOther() {
    // Given storage that was to grow before, and a volume that is to grow now
    var claims =
        List.of(
            volumeClaim(0, "1Gi", "stiff"),
            claim("wal-cache-redis-nodes-shard-0-0", "1Gi", "stiff"));
    var expansion = PlannedExpansion.of(rendered(), claims);
    var fixtures =
        new Fixtures(
            Fixtures.ROOT,
            Map.of(
                "plugin",
                Map.of("spec.componentTypes.0.volumes", List.of(Map.of("name", "wal"))),
                "app",
                Map.of("spec.components.0.groups.0.volumes", wal("2Gi")),
                "components",
                Map.of("items.0.spec.groups.0.volumes", wal("1Gi"))));
    // When
    var problems = expansion.problems(fixtures.desiredApp(), fixtures.observedApp(), name -> false);
    // Then
    assertThat(problems)
        .containsExactly(
            "spec.components[redis-nodes].groups[shard-0].volumes[wal].size: PersistentVolumeClaim"
                + " wal-cache-redis-nodes-shard-0-0 cannot grow from 1Gi to 2Gi: StorageClass"
                + " stiff does not have allowVolumeExpansion: true");
    // and what a template asks for by itself is said of the volume
    assertThat(expansion.in(Set.of("redis-nodes")).volumeClaims()).hasSize(2);
    assertThat(
            PlannedExpansion.of(rendered(), claims.subList(1, 2))
                .byTemplates(fixtures.desiredApp(), Set.of("redis-nodes"), name -> true))
        .extracting(PlannedChange::description)
        .containsExactly(
            "volume wal of redis-nodes/shard-0: 1Gi → 2Gi, as the Plugin's templates ask");
    // and once of each
    assertThat(expansion.byTemplates(fixtures.desiredApp(), Set.of("redis-nodes"), name -> true))
        .extracting(PlannedChange::description)
        .containsExactly(
            "storage of redis-nodes/shard-0: 1Gi → 2Gi, as the Plugin's templates ask;"
                + " volume wal of redis-nodes/shard-0: 1Gi → 2Gi, as the Plugin's templates ask");
  }

  private static List<Map<String, String>> wal(String size) {
    return List.of(Map.of("name", "wal", "size", size));
  }

  private static ExistingVolumeClaim volumeClaim(int number, String size, String storageClass) {
    return claim("data-cache-redis-nodes-shard-0-" + number, size, storageClass);
  }

  private static ExistingVolumeClaim claim(String name, String size, String storageClass) {
    return new ExistingVolumeClaim(
        name,
        "redis-nodes",
        "shard-0",
        new Storage(size, storageClass),
        Optional.of(new Quantity(size)));
  }

  @SuppressWarnings("unchecked") // what YAML gives
  private static List<RenderedObject> rendered() {
    var tree =
        (Map<String, Object>)
            Serialization.unmarshal(
                """
                spec:
                  volumeClaimTemplates:
                  - {metadata: {name: data}, spec: {resources: {requests: {storage: 2Gi}}}}
                  - {metadata: {name: wal}, spec: {resources: {requests: {storage: 2Gi}}}}
                """,
                Map.class);
    return List.of(
        new RenderedObject(
            new ObjectKind("apps/v1", "StatefulSet"), "cache-redis-nodes-shard-0", tree));
  }
}
