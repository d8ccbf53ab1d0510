package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Somebody has changed the StatefulSet, as {@code kubectl rollout restart} does. */
@ExtendWith(ApiServer.class)
class OutdatedPodsIT {
  private static final String SET = "cache-db-g";

  private final LocalNamespace cluster;
  private final LocalWriters writers;
  private final KubernetesResourceActivities activities;
  private final AppKey key;
  private App app;

  OutdatedPodsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    var engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.activities = engine.resources();
    this.key = new AppKey(cluster.namespace(), "cache");
  }

  @BeforeEach
  void changeTheStatefulSet() {
    cluster.createPlugin();
    app = cluster.createApp();
    writers.carryOut(app, ChangeType.PROVISION);
    createPod();
    cluster
        .named(StatefulSet.class, SET)
        .editStatus(
            set ->
                new StatefulSetBuilder(set)
                    .withNewStatus()
                    .withObservedGeneration(set.getMetadata().getGeneration())
                    .withUpdateRevision("new")
                    .withReplicas(1)
                    .endStatus()
                    .build());
    cluster.awaitSeen(
        () ->
            cluster
                .view()
                .statefulSet(key, SET)
                .filter(set -> Rollout.revision(set).equals("new"))
                .filter(set -> !cluster.view().podsOf(key, set).isEmpty())
                .isPresent());
  }

  private void createPod() {
    cluster.create(
        new PodBuilder()
            .withNewMetadata()
            .withName("cache-db-g-1")
            .withLabels(Labels.selector("cache", "db", "g"))
            .addToLabels("controller-revision-hash", "old")
            .addNewOwnerReference()
            .withApiVersion("apps/v1")
            .withKind("StatefulSet")
            .withName(SET)
            .withUid(set().getMetadata().getUid())
            .withController(true)
            .endOwnerReference()
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("redis")
            .withImage("redis:7.0")
            .endContainer()
            .endSpec()
            .build());
  }

  @Test
  void shouldBeLeftAloneByAnEditThatChangesNoPod() {
    // Given
    app = cluster.editApp(yaml -> yaml.replace("replicas: 2", "replicas: 3"));
    // When
    var kept = kept(ChangeType.RESOURCES);
    // Then
    assertThat(kept).containsExactly("cache-db-g-1");
  }

  @Test
  void shouldBeReplacedByAnEditOfThePods() {
    // Given
    app = cluster.editApp(yaml -> yaml.replace("100m", "200m"));
    // When
    var kept = kept(ChangeType.RESOURCES);
    // Then
    assertThat(kept).isEmpty();
  }

  @Test
  void shouldBeReplacedToFinishAnEarlierChange() {
    // Given
    writers.open(app, ChangeType.VERSION_UPGRADE);
    app = cluster.editApp(yaml -> yaml.replace("replicas: 2", "replicas: 3"));
    // When
    var kept = kept(ChangeType.RESOURCES);
    // Then
    assertThat(kept).isEmpty();
  }

  private List<String> kept(ChangeType type) {
    var applied = (Applied) activities.applyGroup(writers.open(app, type));
    return applied.statefulSet().orElseThrow().kept();
  }

  private StatefulSet set() {
    return cluster.named(StatefulSet.class, SET).get();
  }
}
