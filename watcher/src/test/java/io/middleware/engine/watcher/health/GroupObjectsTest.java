package io.middleware.engine.watcher.health;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.component;
import static io.middleware.engine.watcher.Objects.group;
import static io.middleware.engine.watcher.Objects.pod;
import static io.middleware.engine.watcher.Objects.ready;
import static io.middleware.engine.watcher.Objects.running;
import static io.middleware.engine.watcher.Objects.spec;
import static io.middleware.engine.watcher.Objects.status;
import static io.middleware.engine.watcher.Objects.unfinished;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.GroupStatusBuilder;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.RunState;
import io.middleware.engine.process.pods.PodReports;
import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.cache.ObservedObjects;
import io.middleware.engine.watcher.cache.PartCacheTransforms;
import io.middleware.engine.watcher.cache.StatefulSetCacheTransform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An App with one group of one pod, whose last change has succeeded. */
class GroupObjectsTest {
  private static final Pod POD =
      ready(
          pod("nodes", "shard-0", "db-0")
              .editMetadata()
              .addNewOwnerReference()
              .withKind("StatefulSet")
              .withName("db")
              .withController(true)
              .endOwnerReference()
              .endMetadata());
  private static final String CONFIG_GONE =
      "ConfigMap db-config of group shard-0 of nodes is gone, or has lost its labels: an Operation Reapply creates it again";
  private static final String RESTARTED =
      """
      {"manager": "kubectl-rollout", "operation": "Update", "fieldsV1": {"f:spec": {"f:template": {"f:metadata":
       {"f:annotations": {".": {}, "f:kubectl.kubernetes.io/restartedAt": {}}}}}}}
      """;

  private final FakeStatuses cluster = new FakeStatuses();
  private final FakeClock clock = new FakeClock();
  private final List<String> events = new ArrayList<>();
  private final List<HasMetadata> objects = new ArrayList<>();
  private final HealthMirror mirror =
      new HealthMirror(
          cluster,
          WriteDelays.DEFAULT,
          "",
          (app, id, warning, reason, note) -> events.add(warning + " " + reason),
          clock);
  private String unreadable = "";
  private List<HealthProblem> missing = List.of();
  private StatefulSet set = set("1-config-nodes", 1, "db-1", "");

  GroupObjectsTest() {
    cluster.app = app(7, status(7L, 7L, change(7, "Succeeded")));
    cluster.app.setSpec(spec(RunState.RUNNING, 1));
    cluster.component = component("nodes", 1);
    cluster.group = group("nodes", "shard-0", 1, RunState.RUNNING);
    inventory(List.of("apps/v1 StatefulSet db", "v1 ConfigMap db-config", "v1 Secret db-key"));
    objects.add(object("v1", "ConfigMap", "db-config", ""));
  }

  @Test
  void shouldSayNothingOfObjectsThatAreThere() {
    // When
    observe();
    // Then
    assertThat(conditions()).containsExactly("Ready True AllPodsReady");
    assertThat(cluster.group.getStatus().writtenTemplate()).isEqualTo("1-config-nodes db-1");
    assertThat(events).isEmpty();
  }

  @Test
  void shouldNotBeReadyWithoutAConfigMap() {
    // Given
    observe();
    // When
    objects.clear();
    observe();
    // Then
    assertThat(conditions())
        .containsExactly("Ready False ObjectsMissing", "ObjectsDrifted True ObjectsMissing");
    assertThat(cluster.app.getStatus().phase()).isEqualTo("Degraded");
    assertThat(message()).isEqualTo(CONFIG_GONE);
    assertThat(events).containsExactly("true ObjectsMissing");
    // When
    objects.add(object("v1", "ConfigMap", "db-config", ""));
    observe();
    // Then
    assertThat(conditions()).containsExactly("Ready True AllPodsReady");
    assertThat(events).containsExactly("true ObjectsMissing", "false ObjectsAsWritten");
  }

  @Test
  void shouldNotMissWhatTheWatcherMayNotRead() {
    // When
    unreadable = "ConfigMap";
    objects.clear();
    observe();
    // Then
    assertThat(conditions()).containsExactly("Ready True AllPodsReady");
  }

  @Test
  void shouldNotMissWhatTheEngineItselfIsAboutToDelete() {
    // Given
    cluster
        .group
        .getMetadata()
        .setAnnotations(
            Map.of(
                Labels.SURPLUS,
                Serialization.asJson(List.of(new InventoryItem("v1", "ConfigMap", "db-config")))));
    inventory(List.of("apps/v1 StatefulSet db", "v1 ConfigMap db-config"));
    // When
    objects.clear();
    observe();
    // Then
    assertThat(conditions()).containsExactly("Ready True AllPodsReady");
  }

  @Test
  void shouldNotBeReadyWhenAPersonRestartsByHand() {
    // Given
    observe();
    // When
    set = set("1-config-nodes", 2, "db-2", RESTARTED);
    observe();
    // Then
    assertThat(conditions())
        .containsExactly("Ready False TemplateChanged", "ObjectsDrifted True TemplateChanged");
    assertThat(message())
        .isEqualTo(
            "the pod template of StatefulSet db of group shard-0 of nodes is not as the engine has written it (kubectl-rollout: spec.template.metadata.annotations[kubectl.kubernetes.io/restartedAt]): a pod that starts again gets it so; an Operation Reapply writes it again");
    // When
    set = set("1-config-nodes", 3, "db-1", "");
    observe();
    // Then
    assertThat(conditions()).containsExactly("Ready True AllPodsReady");
  }

  @Test
  void shouldSeeAVariableThatAPersonHasRemoved() {
    // Given
    observe();
    // When
    set = set("1-config-nodes", 2, "db-2", "");
    observe();
    // Then
    assertThat(message()).startsWith("the pod template of StatefulSet db").contains("Reapply");
  }

  @Test
  void shouldTakeTheTemplateThatTheNextTaskHasRolledOut() {
    // Given
    observe();
    set = set("1-config-nodes", 2, "db-2", RESTARTED);
    observe();
    // When
    set = set("2-config-nodes", 3, "db-3", RESTARTED);
    observe();
    // Then
    assertThat(conditions())
        .containsExactly("Ready True AllPodsReady", "ObjectsDrifted True ForeignFields");
    assertThat(message())
        .isEqualTo(
            "StatefulSet db of group shard-0 of nodes has fields of others (kubectl-rollout: spec.template.metadata.annotations[kubectl.kubernetes.io/restartedAt]): an Operation Reapply takes them out");
  }

  @Test
  void shouldKeepWhatItKnowsWhileAChangeRuns() {
    // Given
    objects.clear();
    observe();
    cluster.app.setStatus(cluster.keeping(status(7L, 8L, running(8, "1-config-nodes"))));
    // When
    objects.add(object("v1", "ConfigMap", "db-config", ""));
    set = set("2-config-nodes", 2, "db-2", "");
    observe();
    // Then
    assertThat(message()).isEqualTo(CONFIG_GONE);
    assertThat(cluster.group.getStatus().writtenTemplate()).isEqualTo("1-config-nodes db-1");
  }

  @Test
  void shouldNotMissWhatAnUnfinishedTaskHasNotMade() {
    // Given
    cluster.app.setStatus(status(7L, 7L, change(7, "Failed")));
    unfinished(cluster.component);
    // When
    objects.clear();
    observe();
    // Then
    assertThat(conditions()).containsExactly("Ready False ChangeFailed");
  }

  @Test
  void shouldSeeWhatOthersHaveWrittenIntoAConfigMap() {
    // Given
    objects.clear();
    objects.add(
        object(
            "v1",
            "ConfigMap",
            "db-config",
            """
            {"manager": "kubectl-edit", "operation": "Update", "fieldsV1": {"f:data": {"f:redis.conf": {}}}}
            """));
    // When
    observe();
    // Then
    assertThat(message())
        .isEqualTo(
            "ConfigMap db-config of group shard-0 of nodes has fields of others (kubectl-edit: data[redis.conf]): an Operation Reapply takes them out");
  }

  @Test
  void shouldNameWhatTheAppUsesAndIsGone() {
    // Given
    missing =
        List.of(
            new HealthProblem(Reasons.DEPENDENCIES_MISSING, Reasons.PLUGIN_MISSING, "one"),
            new HealthProblem(Reasons.DEPENDENCIES_MISSING, Reasons.BACKUP_STORE_MISSING, "two"));
    // When
    observe();
    // Then
    assertThat(conditions())
        .containsExactly("Ready True AllPodsReady", "DependenciesMissing True PluginMissing");
    assertThat(message()).isEqualTo("one; two");
    // When
    missing = List.of();
    observe();
    // Then
    assertThat(conditions()).containsExactly("Ready True AllPodsReady");
    assertThat(events).containsExactly("true PluginMissing", "false DependenciesExist");
  }

  @Test
  void shouldNotBeReadyWhileServicesMayLeadToAWrongPod() {
    // Given
    missing =
        List.of(
            new HealthProblem(Reasons.DEPENDENCIES_MISSING, Reasons.PLUGIN_MISSING, "one"),
            new HealthProblem(Reasons.ENDPOINTS_OUTDATED, Reasons.SLICES_NOT_WRITTEN, "two"));
    // When
    observe();
    // Then
    assertThat(conditions())
        .containsExactly(
            "Ready False SlicesNotWritten",
            "DependenciesMissing True PluginMissing",
            "EndpointsOutdated True SlicesNotWritten");
    // When
    missing = List.of();
    observe();
    // Then
    assertThat(conditions()).containsExactly("Ready True AllPodsReady");
    assertThat(events)
        .containsExactly(
            "true PluginMissing",
            "true SlicesNotWritten",
            "false DependenciesExist",
            "false EndpointsUpToDate");
  }

  /** As its own write may not be seen yet. */
  @Test
  void shouldNotSayAtOnceThatServicesMayLeadToAWrongPod() {
    // Given
    missing =
        List.of(new HealthProblem(Reasons.ENDPOINTS_OUTDATED, Reasons.SLICES_NOT_WRITTEN, "x"));
    mirror.mirror(observation());
    missing = List.of();
    clock.pass(Duration.ofSeconds(6));
    // When
    mirror.mirror(observation());
    // Then
    assertThat(events).isEmpty();
  }

  private void observe() {
    mirror.mirror(observation());
    clock.pass(Duration.ofSeconds(6)); // a write may be delayed
    mirror.mirror(observation());
  }

  private AppObservation observation() {
    var inventory = cluster.group.getStatus().inventory();
    if (inventory == null) {
      inventory(items);
    }
    return new AppObservation(
        cluster.app,
        List.of(cluster.component),
        List.of(cluster.group),
        List.of(POD),
        new KnownRoles(Map.of(), Map.of()),
        List.of(),
        List.of(),
        List.of(set),
        PodReports.NONE,
        ExistingObjects.of(item -> !item.kind().equals(unreadable), objects),
        missing,
        List.of());
  }

  private List<String> items;

  /** The worker writes it; what the watcher writes leaves it as it is. */
  private void inventory(List<String> items) {
    this.items = items;
    var before = cluster.group.getStatus();
    var inventory =
        items.stream()
            .map(item -> item.split(" "))
            .map(item -> new InventoryItem(item[0], item[1], item[2]))
            .toList();
    cluster.group.setStatus(
        GroupStatusBuilder.builder()
            .observedGeneration(1L)
            .phase(before == null ? null : before.phase())
            .ready(before == null ? null : before.ready())
            .nodes(before == null ? null : before.nodes())
            .inventory(inventory)
            .writtenTemplate(before == null ? null : before.writtenTemplate())
            .conditions(before == null ? List.of() : before.conditions())
            .build());
    PartCacheTransforms.reduce(cluster.group);
  }

  private String message() {
    return cluster.app.getStatus().conditions().getLast().getMessage();
  }

  private List<String> conditions() {
    return cluster.app.getStatus().conditions().stream()
        .map(it -> "%s %s %s".formatted(it.getType(), it.getStatus(), it.getReason()))
        .toList();
  }

  private static StatefulSet set(String task, int generation, String revision, String fields) {
    var set =
        Serialization.unmarshal(
            """
            {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db", "generation": %2$d, "uid": "u",
             "annotations": {"middleware.io/written-by": "%1$s"}, "managedFields": [%4$s],
             "labels": {"middleware.io/app": "cache", "middleware.io/component": "nodes", "middleware.io/group": "shard-0"}},
             "spec": {"replicas": 1}, "status": {"observedGeneration": %2$d, "updateRevision": "%3$s"}}
            """
                .formatted(task, generation, revision, fields),
            StatefulSet.class);
    StatefulSetCacheTransform.reduce(set);
    return set;
  }

  private static GenericKubernetesResource object(
      String apiVersion, String kind, String name, String fields) {
    var object =
        Serialization.unmarshal(
            """
            {"apiVersion": "%s", "kind": "%s", "metadata": {"name": "%s", "managedFields": [%s],
             "labels": {"middleware.io/app": "cache"}}}
            """
                .formatted(apiVersion, kind, name, fields),
            GenericKubernetesResource.class);
    ObservedObjects.reduce(object);
    return object;
  }
}
