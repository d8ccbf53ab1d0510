package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.Labels;
import io.middleware.engine.planning.app.FoundClaim;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Pods of a StatefulSet with the claim templates data and wal, of which 3 exist. */
class ReusedClaimsTest {
  private static final String SET = "-cache-redis-nodes-shard-0-";
  private static final String FIELD = "spec.components[redis-nodes].groups[shard-0]: ";

  @Test
  void shouldNotMindAClaimWithoutAVolumeWhoseOtherDoesNotExist() {
    // Given what a quota has let be made of a fourth pod, before it was given up
    var grown = edited(Map.of("spec.components.0.groups.0.replicas", 4), Map.of());
    // When Then
    assertThat(reused(grown, claim("data", 3, false)).problems()).isEmpty();
    assertThat(reused(grown, claim("data", 3, true)).problems())
        .containsExactly(incomplete("data", "wal", 3));
  }

  private static String incomplete(String has, String lacks, int number) {
    return FIELD
        + "a pod would use PersistentVolumeClaim %s, which exists, without %s, which does not, and its data would be incomplete; restore that one, or delete the other if nobody needs its data"
            .formatted(has + SET + number, lacks + SET + number);
  }

  private static Fixtures edited(Map<String, Object> app, Map<String, Object> deployed) {
    var edits = new HashMap<String, Object>();
    edits.put("app", app);
    edits.put("components", deployed);
    var offers = List.of(Map.of("name", "data", "default", true), Map.of("name", "wal"));
    edits.put("plugin", Map.of("spec.componentTypes.0.volumes", offers));
    return new Fixtures(Fixtures.ROOT, edits);
  }

  private static FoundClaim claim(String volume, int number, boolean hasVolume) {
    return new FoundClaim(volume + SET + number, "", Optional.empty(), hasVolume);
  }

  private static ReusedClaims reused(Fixtures fixtures, FoundClaim claim) {
    return reused(fixtures, List.of(claim));
  }

  private static ReusedClaims reused(Fixtures fixtures, List<FoundClaim> claims) {
    return reused(fixtures, () -> claims);
  }

  private static ReusedClaims reused(Fixtures fixtures, Supplier<List<FoundClaim>> claims) {
    return ReusedClaims.of(
        fixtures.desiredApp(), fixtures.deployed(), rendered(), () -> claims.get());
  }

  @SuppressWarnings("unchecked") // what YAML gives
  private static List<RenderedObject> rendered() {
    var tree =
        (Map<String, Object>)
            Serialization.unmarshal(
                """
                metadata:
                  labels: {%s: redis-nodes, %s: shard-0}
                spec:
                  volumeClaimTemplates:
                  - {metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}
                  - {metadata: {name: wal}, spec: {resources: {requests: {storage: 1Gi}}}}
                """
                    .formatted(Labels.COMPONENT, Labels.GROUP),
                Map.class);
    return List.of(
        new RenderedObject(
            new ObjectKind("apps/v1", "StatefulSet"), "cache-redis-nodes-shard-0", tree));
  }
}
