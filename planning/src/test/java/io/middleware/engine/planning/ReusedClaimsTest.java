package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.planning.app.FoundClaim;
import io.middleware.engine.planning.app.VolumeUse;
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

  @Test
  void shouldNotStartAPodThatHasLostOneOfItsVolumes() {
    // Given
    var started = edited(Map.of(), stopped());
    var lost =
        List.of(
            claim("data", 0, true),
            claim("data", 1, true),
            claim("wal", 1, true),
            claim("data", 2, false));
    // When Then
    assertThat(reused(started, lost).problems()).containsExactly(incomplete("data", "wal", 0));
    // and while it stays stopped, or runs, nobody is asked for the claims
    var stays = edited(Map.of("spec.state", "Stopped"), stopped());
    assertThat(reused(stays, ReusedClaimsTest::unasked).problems()).isEmpty();
    var runs = edited(Map.of(), Map.of());
    assertThat(reused(runs, ReusedClaimsTest::unasked).problems()).isEmpty();
  }

  @Test
  void shouldStartOnlyThePodsThatAreLeft() {
    // Given
    var fewer = edited(Map.of("spec.components.0.groups.0.replicas", 1), stopped());
    var more = edited(Map.of("spec.components.0.groups.0.replicas", 4), stopped());
    var claims = List.of(claim("data", 0, true), claim("wal", 0, true), claim("wal", 2, true));
    // When Then
    assertThat(reused(fewer, claims).problems()).isEmpty();
    assertThat(reused(more, claims).problems()).containsExactly(incomplete("wal", "data", 2));
  }

  /** Its own rules say what an edit of the group may change. */
  @Test
  void shouldNotTellAGroupThatStartsOfItsOwnClaims() {
    // Given
    var started = edited(Map.of(), stopped());
    var use =
        new VolumeUse(
            "redis",
            new RuntimeRef("redis", "8.0"),
            new PluginRef("redis", "1.0.0"),
            Map.of(),
            null,
            null);
    var claims =
        List.of(
            new FoundClaim("data" + SET + 0, "", Optional.of(use), true), claim("wal", 0, true));
    // When
    var reused = reused(started, claims);
    // Then
    assertThat(reused.problems()).isEmpty();
    var plan = plan(started);
    assertThat(plan.tasks()).extracting(ChangeTask::type).contains(ChangeType.START);
    assertThat(reused.into(plan)).isEqualTo(plan);
  }

  private static String incomplete(String has, String lacks, int number) {
    return FIELD
        + "a pod would use PersistentVolumeClaim %s, which exists, without %s, which does not, and its data would be incomplete; restore that one, or delete the other if nobody needs its data"
            .formatted(has + SET + number, lacks + SET + number);
  }

  private static Map<String, Object> stopped() {
    return Map.of("items.0.spec.state", "Stopped");
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

  private static List<FoundClaim> unasked() {
    throw new AssertionError("asked");
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

  private static ChangePlan plan(Fixtures fixtures) {
    return new Planner(Fixtures.POLICIES)
        .change(1, fixtures.desiredApp(), fixtures.deployed(), List.of());
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
