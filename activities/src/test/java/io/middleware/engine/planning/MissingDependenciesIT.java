package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.resources.LocalWriters;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.backup.BackupStore;
import io.middleware.engine.api.backup.BackupStoreSpec;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.port.PlanRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Others have deleted what an App uses, or have not made it yet. */
@ExtendWith(ApiServer.class)
class MissingDependenciesIT {
  private static final String BUCKET =
      "s3: {endpoint: 'https://s3.example.com', bucket: backups, secretRef: {name: key}}";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private final KubernetesPlanningActivities activities;

  MissingDependenciesIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.activities = LocalPlanning.of(engine);
  }

  @BeforeEach
  void createPlugin() {
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "data: {maxmemory: \"${config.maxmemory}\"}",
                "data: {maxmemory: \"${config.maxmemory}\", bucket: \"${backup.?store.?bucket}\"}"));
  }

  @Test
  void shouldGoOnWithAPluginThatWasDeleted() {
    // Given
    deploy(cluster.createApp());
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    // When
    var edited = plan(cluster.editApp(yaml -> yaml.replace("100mb", "200mb")));
    var stopped = plan(stop(""));
    // Then
    assertThat(descriptions(edited))
        .singleElement()
        .asString()
        .contains("maxmemory")
        .contains("Plugin redis-v1.0.0 does not exist any more");
    assertThat(descriptions(stopped)).singleElement().asString().contains("stop");
  }

  @Test
  void shouldRefuseANewAppOfAPluginThatWasDeleted() {
    // Given
    deploy(cluster.createApp());
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    // When
    var other = cluster.create(renamed());
    // Then
    assertThat(plan(other)).isInstanceOf(Rejected.class);
  }

  @Test
  void shouldGoOnWithAStoreThatWasDeleted() {
    // Given
    store(BUCKET);
    cluster.create(secret());
    deploy(cluster.createApp(MissingDependenciesIT::withStore));
    cluster.named(BackupStore.class, "nightly").delete();
    // When
    var edited = plan(cluster.editApp(yaml -> withStore(yaml).replace("100mb", "200mb")));
    var stopped = plan(stop("  backup: {enabled: false, store: nightly}\n"));
    // Then
    assertThat(descriptions(edited))
        .singleElement()
        .asString()
        .contains("BackupStore nightly does not exist any more");
    assertThat(stopped).isInstanceOf(Planned.class);
  }

  @Test
  void shouldNameASecretOfAStoreThatIsMissing() {
    // Given
    store(BUCKET);
    var app = cluster.createApp(MissingDependenciesIT::withStore);
    // When
    var without = plan(app);
    cluster.create(secret());
    var with = plan(app);
    // Then
    assertThat(descriptions(without))
        .singleElement()
        .asString()
        .endsWith("Secret key of BackupStore nightly does not exist, backups fail until it does");
    assertThat(descriptions(with)).singleElement().asString().doesNotContain("Secret");
  }

  @Test
  void shouldRefuseAStoreWhoseVolumeClaimIsMissingUnlessTheAppIsStopped() {
    // Given
    store("folder: {claimName: backups}");
    var app = cluster.createApp(MissingDependenciesIT::withStore);
    // When
    var without = plan(app);
    var stopped = plan(stop("  backup: {enabled: false, store: nightly}\n"));
    cluster.create(claim());
    var with = plan(cluster.editApp(MissingDependenciesIT::withStore));
    // Then
    assertThat(without)
        .isInstanceOfSatisfying(
            Rejected.class,
            it ->
                assertThat(it.message())
                    .contains("BackupStore nightly needs PersistentVolumeClaim backups"));
    assertThat(stopped).isInstanceOf(Planned.class);
    assertThat(with).isInstanceOf(Planned.class);
  }

  private void deploy(App app) {
    plan(app);
    var ref = writers.open(app, ChangeType.PROVISION);
    engine.resources().applyGroup(new GroupRef(ref.task(), "g"));
    engine.resources().settleComponent(ref.task());
    assertThat(cluster.named(Group.class, "cache-db-g").get()).isNotNull();
  }

  private App stop(String more) {
    return cluster.editApp(yaml -> yaml.replace("spec:\n", "spec:\n  state: Stopped\n" + more));
  }

  private static String withStore(String yaml) {
    return yaml.replace("spec:\n", "spec:\n  backup: {enabled: false, store: nightly}\n");
  }

  private void store(String spec) {
    var store = new BackupStore();
    store.setMetadata(new ObjectMetaBuilder().withName("nightly").build());
    store.setSpec(Serialization.unmarshal(spec, BackupStoreSpec.class));
    cluster.create(store);
  }

  private static Secret secret() {
    return new SecretBuilder().withNewMetadata().withName("key").endMetadata().build();
  }

  private static PersistentVolumeClaim claim() {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName("backups")
        .endMetadata()
        .withNewSpec()
        .withAccessModes("ReadWriteMany")
        .withNewResources()
        .addToRequests("storage", new Quantity("1Gi"))
        .endResources()
        .endSpec()
        .build();
  }

  private App renamed() {
    var app = new App();
    app.setMetadata(new ObjectMetaBuilder().withName("other").build());
    app.setSpec(cluster.named(App.class, "cache").get().getSpec());
    return app;
  }

  private PlanAnswer plan(App app) {
    return activities.plan(new PlanRequest(cluster.change(app, "run-1"), Optional.empty()));
  }

  private static List<String> descriptions(PlanAnswer answer) {
    assertThat(answer).isInstanceOf(Planned.class);
    return ((Planned) answer).plan().tasks().stream().map(ChangeTask::description).toList();
  }
}
