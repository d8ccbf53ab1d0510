package io.middleware.engine.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.BackupStore;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.GracefulShutdown;
import io.middleware.engine.process.TemporalConnection;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.process.servers.OnTemporal;
import io.middleware.engine.process.settings.ProcessArguments;
import io.middleware.engine.process.trace.Tracing;
import io.middleware.engine.watcher.apiserver.ClusterCase;
import io.middleware.engine.watcher.change.RunsOnTemporal;
import io.temporal.client.schedules.ScheduleException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** All that a watcher does about an App, put together as the process does. */
@ExtendWith(OnTemporal.class)
@TestInstance(Lifecycle.PER_CLASS)
class WatcherAssemblyIT extends ClusterCase<App> {
  private final GracefulShutdown stop = new GracefulShutdown(Duration.ofSeconds(20));
  private final RunsOnTemporal temporal;

  WatcherAssemblyIT(LocalCluster cluster, LocalTemporal server) {
    super(cluster);
    this.temporal = new RunsOnTemporal(server);
  }

  @BeforeAll
  void start() throws InterruptedException {
    var settings = EngineSettings.read(new ProcessArguments(arguments(), Map.of()));
    var meters = new SimpleMeterRegistry();
    var connection =
        stop.opened(
            "temporal",
            TemporalConnection.open(
                "watcher",
                settings.temporal(),
                meters,
                Tracing.open("watcher", Map.of()),
                Map.of()));
    var assembly = new WatcherAssembly(settings, cluster.client(), connection, meters, stop);
    assertThat(assembly.clusterName().take()).isEmpty();
    stop.opened("operator", LocalOperator.start(cluster, assembly.reconciler()));
    assembly.startBackgroundWork();
  }

  private List<String> arguments() {
    var stubs = temporal.calls.client().getWorkflowServiceStubs();
    return List.of(
        "--namespaces=" + cluster.namespace(),
        "--system-namespace=" + cluster.namespace(),
        "--cluster=" + temporal.cluster,
        "--temporal-address=" + stubs.getOptions().getTarget());
  }

  @AfterAll
  void stop() {
    stop.close();
  }

  @Test
  void shouldSubmitAnAppAndShowThatItIsDeployed() {
    // When
    var app = create("new");
    // Then
    awaitOpen("new");
    cluster.await().until(() -> cluster.now(app).getStatus() != null);
    assertThat(cluster.now(app).getFinalizers()).containsExactly(Labels.TEARDOWN);
  }

  @Test
  void shouldPublishTheMetadataOfAnAppUntilItIsGone() {
    // Given
    var app = createDeployed("published");
    // When
    createParts("published");
    // Then
    awaitPublished("published", true);
    // and then
    cluster.named(ConfigMap.class, Labels.METADATA).delete();
    awaitPublished("published", true);
    // and then
    delete(app);
    awaitPublished("published", false);
  }

  @Test
  void shouldNameAnObjectThatSomebodyHasDeleted() {
    // Given
    var app = createDeployed("incomplete");
    createParts("incomplete");
    cluster.create(
        ConfigMap.class,
        "metadata: {name: config, labels: {%s: incomplete}}".formatted(Labels.APP));
    cluster.patchStatus(
        cluster.named(Group.class, "incomplete-db-g").get(),
        "{\"inventory\": [{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"name\": \"config\"}]}");
    // When
    cluster.named(ConfigMap.class, "config").delete();
    // Then
    awaitSaid(app, "ConfigMap config of group g of db is gone", true);
  }

  @Test
  void shouldNameABackupStoreUntilItIsThere() {
    // When
    var app = createDeployed("storeless");
    createParts("storeless");
    // Then
    awaitSaid(app, "BackupStore nightly does not exist", true);
    // and then
    var store =
        cluster.create(
            BackupStore.class,
            "metadata: {name: nightly}\nspec: {folder: {claimName: backups, path: copies}}");
    awaitSaid(app, "BackupStore nightly does not exist", false);
    // and then
    cluster.client().resource(store).delete();
    awaitSaid(app, "BackupStore nightly does not exist", true);
  }

  @Test
  void shouldLetAnEndpointFollowThePrimaryThatAgentsName() throws IOException {
    // Given
    var app = createDeployed("followed");
    createParts("followed");
    try (var first = new SpeakingAgent("127.91.0.1", "primary", 4);
        var second = new SpeakingAgent("127.91.0.2", "replica", 4)) {
      nameAgents("followed");
      var service = createService("followed");
      createPod("followed", 0);
      createPod("followed", 1);
      // When
      awaitServed(service, "127-91-0-1.pod");
      // Then
      cluster.await().untilAsserted(() -> assertNamesEndpoint(cluster.now(app).getStatus()));
      // and when another one is the primary, while the first one still says that it is
      second.say("primary", 5);
      awaitServed(service, "127-91-0-2.pod");
      // and when somebody deletes the addresses
      var deleted = cluster.named(EndpointSlice.class, service + "-engine").get();
      cluster.client().resource(deleted).delete();
      cluster
          .await()
          .until(() -> cluster.now(deleted), it -> it != null && !uid(it).equals(uid(deleted)));
      awaitServed(service, "127-91-0-2.pod");
      // and when nobody is
      first.say("replica", 5);
      second.say("replica", 5);
      awaitServed(service);
    }
  }

  private void nameAgents(String app) {
    var agents = "redis-v1.0.0=%d//".formatted(SpeakingAgent.PORT);
    cluster
        .named(Group.class, app + "-db-g")
        .edit(
            group -> {
              group.getMetadata().setAnnotations(Map.of(Labels.AGENTS, agents));
              return group;
            });
  }

  private void assertNamesEndpoint(AppStatus status) {
    assertThat(status.endpoints())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.host())
                  .isEqualTo("followed-db-g-rw.%s.svc".formatted(cluster.namespace()));
              assertThat(it.port()).isEqualTo(6379);
              assertThat(it.role()).isEqualTo("Primary");
              assertThat(it.secretName()).isEqualTo("followed-db-g-rw.app");
            });
  }

  private static String uid(EndpointSlice slice) {
    return slice.getMetadata().getUid();
  }

  private void awaitServed(String service, String... addresses) {
    cluster
        .await()
        .untilAsserted(
            () -> {
              var slice = cluster.named(EndpointSlice.class, service + "-engine").get();
              assertThat(slice).isNotNull();
              assertThat(Objects.requireNonNullElse(slice.getEndpoints(), List.<Endpoint>of()))
                  .flatMap(Endpoint::getAddresses)
                  .containsExactly(addresses);
            });
  }

  private String createService(String app) {
    var name = app + "-db-g-rw";
    cluster.create(
        Service.class,
        "metadata: {name: %s, labels: {%s}, annotations: {%s: rw Primary 6379, %s: %s.app}}\nspec: {ports: [{port: 6379}]}"
            .formatted(name, labels(app), Labels.ENDPOINT, Labels.CONNECTION, name));
    return name;
  }

  private void createPod(String app, int number) {
    var pod =
        cluster.create(
            Pod.class,
            "metadata: {name: %s-db-g-%d, labels: {%s, %s: redis-v1.0.0}}\nspec: {containers: [{name: c, image: i}]}"
                .formatted(app, number, labels(app), Labels.PLUGIN));
    cluster.patchStatus(
        pod,
        "{\"phase\": \"Running\", \"podIP\": \"127.91.0.%1$d\", \"podIPs\": [{\"ip\": \"127.91.0.%1$d\"}], \"conditions\": [{\"type\": \"Ready\", \"status\": \"True\"}]}"
            .formatted(number + 1));
  }

  private static String labels(String app) {
    return "%s: %s, %s: db, %s: g".formatted(Labels.APP, app, Labels.COMPONENT, Labels.GROUP);
  }

  private void awaitSaid(App app, String message, boolean expected) {
    cluster
        .await()
        .untilAsserted(
            () -> {
              var conditions = cluster.client().resource(app).get().getStatus().conditions();
              assertThat(conditions).isNotNull();
              assertThat(conditions.stream().anyMatch(it -> it.getMessage().startsWith(message)))
                  .isEqualTo(expected);
            });
  }

  @Test
  void shouldKeepTheScheduleOfAnAppUntilItIsDeleted() {
    // Given
    var schedule = temporal.schedule("backup/%s/backed-up".formatted(cluster.namespace()));
    // When
    var app = createDeployed("backed-up");
    // Then
    cluster
        .await()
        .ignoreException(ScheduleException.class)
        .until(() -> !schedule.describe().getSchedule().getState().isPaused());
    // and then
    delete(app);
    cluster
        .await()
        .untilAsserted(
            () -> assertThatThrownBy(schedule::describe).isInstanceOf(ScheduleException.class));
  }

  @Test
  void shouldSubmitADeletion() {
    // Given
    var app = create("deleted");
    awaitOpen("deleted");
    temporal.end(workflowId("deleted"));
    // When
    cluster.client().resource(app).delete();
    // Then
    awaitOpen("deleted");
    assertThat(cluster.now(app).getFinalizers())
        .as("the run removes it")
        .containsExactly(Labels.TEARDOWN);
  }

  /** One whose first change has ended. */
  private App createDeployed(String name) {
    var app = create(name);
    cluster.patchStatus(
        app,
        "{\"observedGeneration\": 1, \"acceptedGeneration\": 1,"
            + " \"change\": {\"generation\": 1, \"outcome\": \"Succeeded\"}}");
    return app;
  }

  private void awaitOpen(String app) {
    cluster.await().until(() -> temporal.isOpen(workflowId(app)));
  }

  private String workflowId(String app) {
    return "app/%s/%s".formatted(cluster.namespace(), app);
  }

  /** Deletes the App, as its user and then its run do. */
  private void delete(App app) {
    cluster.client().resource(app).delete();
    edit(app, it -> it.getMetadata().setFinalizers(List.of()));
  }

  private void awaitPublished(String app, boolean expected) {
    cluster
        .await()
        .untilAsserted(
            () -> {
              var map = cluster.named(ConfigMap.class, Labels.METADATA).get();
              assertThat(map).isNotNull();
              var keys = map.getData() == null ? Set.of() : map.getData().keySet();
              assertThat(keys.contains(app)).isEqualTo(expected);
            });
  }

  private void createParts(String app) {
    var labels = "%s: %s, %s: db".formatted(Labels.APP, app, Labels.COMPONENT);
    cluster.create(
        Component.class,
        "metadata: {name: %s-db, labels: {%s}}\nspec: {state: Running}".formatted(app, labels));
    cluster.create(
        Group.class,
        "metadata: {name: %s-db-g, labels: {%s, %s: g}}\nspec: {replicas: 2}"
            .formatted(app, labels, Labels.GROUP));
  }

  @Override
  public App create(String name) {
    return cluster.createApp(
        text ->
            text.replace("{name: cache}", "{name: %s}".formatted(name))
                + "  backup: {enabled: true, schedule: \"@daily\", retention: 7, store: nightly}\n");
  }
}
