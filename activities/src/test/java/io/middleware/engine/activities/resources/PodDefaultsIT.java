package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods with variables of Services and without last lines, as earlier engines made them. */
@ExtendWith(ApiServer.class)
class PodDefaultsIT {
  private static final String SET = "cache-db-g";

  private final LocalNamespace cluster;
  private final LocalWriters writers;
  private final KubernetesResourceActivities activities;
  private App app;

  PodDefaultsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    var engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.activities = engine.resources();
  }

  @BeforeEach
  void deployByAnEarlierEngine() {
    plugin("            spec:\n              enableServiceLinks: true\n");
    app = cluster.createApp();
    apply(task(ChangeType.PROVISION));
    activities.settleComponent(task(ChangeType.PROVISION));
    plugin("            spec:\n");
  }

  @Test
  void shouldNotBeTurnedOffInNewPodsOnly() {
    // When
    apply(task(ChangeType.STORAGE));
    // Then
    assertThat(links()).isTrue();
    assertThat(policy()).isEqualTo("File");
  }

  @Test
  void shouldBeTurnedOffWithTheNextRestart() {
    // Given
    app = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"7.2\""));
    // When
    apply(task(ChangeType.VERSION_UPGRADE));
    // Then
    assertThat(links()).isFalse();
    assertThat(policy()).isEqualTo("FallbackToLogsOnError");
  }

  @Test
  void shouldComeBackWithARollbackSoThatItTouchesNoOtherPods() {
    // Given
    var before = set().getSpec().getTemplate();
    observe();
    app = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"7.2\""));
    var task = task(ChangeType.VERSION_UPGRADE);
    apply(task);
    // When
    apply(task.back());
    // Then
    assertThat(set().getSpec().getTemplate()).isEqualTo(before);
  }

  @Test
  void shouldLeaveThePolicyOfTheTemplateAsItIs() {
    // Given
    cluster
        .named(StatefulSet.class, SET)
        .edit(
            set -> {
              var pod = set.getSpec().getTemplate().getSpec();
              pod.getContainers()
                  .forEach(it -> it.setTerminationMessagePolicy("FallbackToLogsOnError"));
              return set;
            });
    var before = set().getSpec().getTemplate();
    // When
    apply(task(ChangeType.STORAGE));
    // Then
    assertThat(set().getSpec().getTemplate()).isEqualTo(before);
  }

  private TaskRef task(ChangeType type) {
    return writers.task(app, type);
  }

  private void apply(TaskRef task) {
    writers.transaction().begin(task);
    activities.applyGroup(new GroupRef(task, "g"));
  }

  private void plugin(String pod) {
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "            spec:\n              containers", pod + "              containers"));
  }

  /** As the StatefulSet's controller would. */
  private void observe() {
    cluster
        .named(StatefulSet.class, SET)
        .editStatus(
            set ->
                new StatefulSetBuilder(set)
                    .withNewStatus()
                    .withObservedGeneration(set.getMetadata().getGeneration())
                    .withReplicas(0)
                    .endStatus()
                    .build());
    var key = new AppKey(cluster.namespace(), "cache");
    cluster.awaitSeen(
        () ->
            cluster
                .view()
                .statefulSet(key, SET)
                .filter(set -> Rollout.hasSeen(set, set.getMetadata().getGeneration()))
                .isPresent());
  }

  private String policy() {
    return container().getTerminationMessagePolicy();
  }

  private Container container() {
    return set().getSpec().getTemplate().getSpec().getContainers().getFirst();
  }

  private boolean links() {
    return set().getSpec().getTemplate().getSpec().getEnableServiceLinks();
  }

  private StatefulSet set() {
    return cluster.named(StatefulSet.class, SET).get();
  }
}
