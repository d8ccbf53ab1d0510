package io.middleware.engine.watcher.health;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.group;
import static io.middleware.engine.watcher.Objects.pod;
import static io.middleware.engine.watcher.Objects.ready;
import static io.middleware.engine.watcher.Objects.running;
import static io.middleware.engine.watcher.Objects.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupStatusBuilder;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.RunState;
import io.middleware.engine.process.pods.PodReports;
import io.middleware.engine.watcher.cache.PodCacheTransform;
import io.middleware.engine.watcher.cache.StatefulSetCacheTransform;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A group of three pods of the StatefulSet db. */
class GroupStatesTest {
  private App app = app(7, status(7L, 7L, change(7, "Succeeded")));
  private int start;
  private PodReports reports = PodReports.NONE;

  @Test
  void shouldNotCountASurplusPodForAMissingOne() {
    assertThat(message(owned("db-0"), owned("db-1"), owned("db-3")))
        .isEqualTo("2/3 pods ready: db-2 missing");
  }

  @Test
  void shouldCountFromTheFirstNumberOfTheSet() {
    // Given
    start = 2;
    // Then
    assertThat(message(owned("db-2"), owned("db-3"), owned("db-4"))).isEqualTo("3/3 pods ready");
    assertThat(message(owned("db-0"), owned("db-3"), owned("db-4")))
        .isEqualTo("2/3 pods ready: db-2 missing");
  }

  @Test
  void shouldSayWhatIsSaidOfAPodElsewhere() {
    // Given
    reports =
        new PodReports() {
          @Override
          public Optional<String> of(Pod pod) {
            return Optional.of("FailedMount: secret creds not found");
          }

          @Override
          public Optional<String> refusedCreation(HasMetadata controller, String pod) {
            return Optional.of("cannot be created: exceeded quota");
          }
        };
    // When
    var message =
        message(
            owned("db-0"),
            pod("nodes", "shard-0", "db-1")
                .editMetadata()
                .addNewOwnerReference()
                .withKind("StatefulSet")
                .withName("db")
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build());
    // Then
    assertThat(message)
        .isEqualTo(
            "1/3 pods ready: db-1 FailedMount: secret creds not found; db-2 cannot be created: exceeded quota");
  }

  @Test
  void shouldNotCountAPodThatHasLeftTheSet() {
    assertThat(message(owned("db-0"), owned("db-1"), ready(pod("nodes", "shard-0", "db-2"))))
        .isEqualTo("2/3 pods ready: db-2 missing");
  }

  @Test
  void shouldSayThatSomebodyHasDeletedTheStatefulSet() {
    // Given
    var group = group("nodes", "shard-0", 3, RunState.RUNNING);
    group.setStatus(
        GroupStatusBuilder.builder()
            .observedGeneration(1L)
            .nodes(List.of())
            .inventory(List.of(new InventoryItem("apps/v1", "StatefulSet", "db")))
            .conditions(List.of())
            .build());
    // When
    var states =
        GroupStates.of(
            observation(List.of(ready(pod("nodes", "shard-0", "db-0"))), List.of(), group));
    // Then
    assertThat(states.readyCount().message())
        .isEqualTo("0/3 pods ready: StatefulSet db missing: an Operation Reapply creates it again");
  }

  @Test
  void shouldCountAPodThatANewSetIsAboutToAdopt() {
    // Given
    app = app(8, status(7L, 8L, running(8, null)));
    // Then
    assertThat(message(owned("db-0"), owned("db-1"), ready(pod("nodes", "shard-0", "db-2"))))
        .isEqualTo("3/3 pods ready");
  }

  @Test
  void shouldNotTakeAnEvictedPodOfADeploymentForANode() {
    // Given
    var evicted =
        pod("nodes", "shard-0", "web-77-x")
            .editMetadata()
            .addToLabels("pod-template-hash", "77")
            .endMetadata()
            .editStatus()
            .withPhase("Failed")
            .withReason("Evicted")
            .endStatus()
            .build();
    // When
    var states = GroupStates.of(observation(List.of(evicted), List.of()));
    // Then
    assertThat(states.all().getFirst().pods()).isEmpty();
  }

  private String message(Pod... pods) {
    return GroupStates.of(observation(List.of(pods), List.of(set()))).readyCount().message();
  }

  private AppObservation observation(List<Pod> pods, List<StatefulSet> sets) {
    return observation(pods, sets, group("nodes", "shard-0", 3, RunState.RUNNING));
  }

  private AppObservation observation(List<Pod> pods, List<StatefulSet> sets, Group group) {
    pods.forEach(PodCacheTransform::reduce);
    sets.forEach(StatefulSetCacheTransform::reduce);
    return new AppObservation(
        app,
        List.of(),
        List.of(group),
        pods,
        new KnownRoles(Map.of(), Map.of()),
        List.of(),
        List.of(),
        sets,
        reports,
        ExistingObjects.UNKNOWN,
        List.of(),
        List.of());
  }

  private static Pod owned(String name) {
    return ready(
        pod("nodes", "shard-0", name)
            .editMetadata()
            .addNewOwnerReference()
            .withKind("StatefulSet")
            .withName("db")
            .withController(true)
            .endOwnerReference()
            .endMetadata());
  }

  private StatefulSet set() {
    return new StatefulSetBuilder()
        .withNewMetadata()
        .withName("db")
        .withNamespace("shop")
        .withUid("set")
        .withLabels(Map.of(Labels.COMPONENT, "nodes", Labels.GROUP, "shard-0"))
        .endMetadata()
        .withNewSpec()
        .withReplicas(3)
        .withNewOrdinals(start)
        .endSpec()
        .build();
  }
}
