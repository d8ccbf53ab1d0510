package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.process.objects.DriftedFields;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A StatefulSet whose template leaves fields to others: an autoscaler, a person. */
@ExtendWith(ApiServer.class)
class ForeignFieldsIT {
  private static final String SET = "cache-db-g";

  private final LocalNamespace cluster;
  private final LocalWriters writers;
  private App app;
  private PodTemplateSpec rendered;

  ForeignFieldsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.writers = new LocalWriters(new LocalEngine(cluster));
  }

  @BeforeEach
  void create() {
    cluster.createPlugin(yaml -> yaml.replace("          replicas: \"${replicas}\"\n", ""));
    app = cluster.createApp();
  }

  @Test
  void shouldKeepThemWhenTheStatefulSetIsMadeAgain() {
    // Given
    var before = ownedByOthers();
    var ref = grow();
    // When
    collectOrphans();
    var applied = writers.write(app, ref).orElseThrow();
    // Then
    assertThat(applied.uid()).isNotEqualTo(before.getMetadata().getUid());
    assertLikeBefore(before);
  }

  @Test
  void shouldKeepThemWhenItWasCutOffWhileTheStatefulSetDidNotExist() throws InterruptedException {
    // Given
    var before = ownedByOthers();
    var ref = grow();
    var cutOff = Thread.startVirtualThread(() -> writers.write(app, ref));
    cluster.awaitSeen(() -> set().isMarkedForDeletion());
    cutOff.interrupt();
    cutOff.join();
    letGo();
    cluster.awaitSeen(() -> set() == null);
    // When
    writers.write(app, ref);
    // Then
    assertLikeBefore(before);
  }

  @Test
  void shouldStopAndStartItWithTheNumberThatTheAutoscalerHadChosen() {
    // Given
    ownedByOthers();
    stop();
    // When
    writers.carryOut(app, ChangeType.STOP);
    var stopped = writers.write(app, writers.open(app, ChangeType.STOP)).orElseThrow();
    // Then
    assertThat(set().getSpec().getReplicas()).isZero();
    assertThat(set().getMetadata().getGeneration()).isEqualTo(stopped.generation());
    // When
    start();
    writers.carryOut(app, ChangeType.START);
    // Then
    assertThat(set().getSpec().getReplicas()).isEqualTo(5);
    // When
    writers.carryOut(app, ChangeType.CONFIG);
    // Then
    assertThat(set().getSpec().getReplicas()).isEqualTo(5);
  }

  @Test
  void shouldCreateItWithoutPodsWhileTheAppIsStopped() {
    // Given
    stop();
    // When
    writers.carryOut(app, ChangeType.PROVISION);
    writers.carryOut(app, ChangeType.CONFIG);
    // Then
    assertThat(set().getSpec().getReplicas()).isZero();
    // When
    start();
    writers.carryOut(app, ChangeType.START);
    // Then
    assertThat(set().getSpec().getReplicas()).isEqualTo(2);
  }

  @Test
  void shouldTakeTheTemplateBackByAReapply() {
    // Given
    ownedByOthers();
    as(
        "person",
        """
        {"spec": {"template": {"metadata": {"annotations": {"kubectl.kubernetes.io/restartedAt": "now"}},
         "spec": {"containers": [{"name": "redis", "image": "another:1"}]}}}}""");
    as("person", "{\"metadata\": {\"labels\": {\"mine\": \"1\"}}}");
    // When
    writers.carryOut(app, ChangeType.REAPPLY);
    // Then
    var template = set().getSpec().getTemplate();
    assertThat(template).isEqualTo(rendered);
    assertThat(set().getSpec().getReplicas()).isEqualTo(5);
    assertThat(set().getMetadata().getLabels()).containsEntry("mine", "1");
    assertThat(DriftedFields.in(set())).isEmpty();
  }

  private void stop() {
    app = cluster.editApp(yaml -> yaml.replace("spec:", "spec:\n  state: Stopped"));
  }

  private void start() {
    app = cluster.editApp(yaml -> yaml);
  }

  /** The StatefulSet with 5 replicas of an autoscaler and a variable that a person has set. */
  private StatefulSet ownedByOthers() {
    writers.carryOut(app, ChangeType.PROVISION);
    rendered = set().getSpec().getTemplate();
    as("autoscaler", "{\"spec\": {\"replicas\": 5}}");
    as(
        "person",
        """
        {"spec": {"template": {"spec": {"containers": [{"name": "redis",
         "env": [{"name": "DEBUG", "value": "1"}]}]}}}}""");
    return set();
  }

  private void as(String manager, String patch) {
    cluster
        .named(StatefulSet.class, SET)
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.STRATEGIC_MERGE)
                .withFieldManager(manager)
                .build(),
            patch);
  }

  private void assertLikeBefore(StatefulSet before) {
    var now = set();
    assertThat(now.getMetadata().getUid()).isNotEqualTo(before.getMetadata().getUid());
    assertThat(now.getSpec().getReplicas()).isEqualTo(5);
    assertThat(now.getSpec().getTemplate()).isEqualTo(before.getSpec().getTemplate());
    assertThat(
            now.getSpec()
                .getVolumeClaimTemplates()
                .getFirst()
                .getSpec()
                .getResources()
                .getRequests())
        .containsEntry("storage", new Quantity("2Gi"));
    assertThat(owners(now)).containsExactlyInAnyOrderElementsOf(owners(before));
    assertThat(cluster.named(Group.class, SET).get().getMetadata().getAnnotations())
        .doesNotContainKey("middleware.io/replaced-statefulset");
    // When
    writers.carryOut(app, ChangeType.CONFIG);
    // Then
    assertThat(set().getSpec()).isEqualTo(now.getSpec());
  }

  private static List<String> owners(StatefulSet set) {
    return set.getMetadata().getManagedFields().stream()
        .filter(entry -> !"status".equals(entry.getSubresource()))
        .map(ForeignFieldsIT::owner)
        .toList();
  }

  private static String owner(ManagedFieldsEntry entry) {
    return entry.getManager() + " " + entry.getOperation();
  }

  private GroupRef grow() {
    app = cluster.editApp(yaml -> yaml.replace("1Gi", "2Gi"));
    return writers.open(app, ChangeType.STORAGE);
  }

  /** Once a StatefulSet is deleted, as the garbage collector would. */
  private void collectOrphans() {
    var key = new AppKey(cluster.namespace(), "cache");
    Thread.startVirtualThread(
        () -> {
          cluster.awaitSeen(
              () ->
                  cluster
                      .view()
                      .statefulSet(key, SET)
                      .filter(StatefulSet::isMarkedForDeletion)
                      .isPresent());
          letGo();
        });
  }

  private void letGo() {
    cluster
        .named(StatefulSet.class, SET)
        .edit(
            set ->
                new StatefulSetBuilder(set)
                    .editMetadata()
                    .withFinalizers(List.of())
                    .endMetadata()
                    .build());
  }

  private StatefulSet set() {
    return cluster.named(StatefulSet.class, SET).get();
  }
}
