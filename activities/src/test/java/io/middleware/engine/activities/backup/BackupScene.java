package io.middleware.engine.activities.backup;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.agents.FakeAgent.answers;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.backup.BackupSpec;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStore;
import io.middleware.engine.api.backup.BackupStoreSpec;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.BackupActivities.BackupGroup;
import io.middleware.engine.workflows.port.BackupActivities.GroupCopy;
import io.middleware.engine.workflows.port.BackupRef;
import io.temporal.client.ActivityCanceledException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** The App {@code cache}, whose group {@code db/g} has the pods db-0 (primary) and db-1. */
final class BackupScene implements AutoCloseable {
  static final String RUN = "run-1";
  static final String NAME = "now";

  final LocalNamespace cluster;
  final LocalEngine engine;
  final FakeView view = new FakeView();
  final FakeAgent zero;
  final FakeAgent one;
  final MeterRegistry meters = new SimpleMeterRegistry();
  Duration patience = Duration.ofSeconds(2);
  final List<String> deletedSchedules = new CopyOnWriteArrayList<>();
  private final AgentChannels channels = new AgentChannels(name -> null);

  BackupScene(LocalNamespace cluster) throws IOException {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.zero = new FakeAgent("127.0.0.10", 0);
    this.one = new FakeAgent("127.0.0.11", zero.port());
    zero.role = "primary";
    List.of(zero, one).forEach(BackupScene::works);
    view.sets.add(set(2, 1));
    view.pods.add(readyAt("db-0", "new", "127.0.0.10"));
    view.pods.add(readyAt("db-1", "new", "127.0.0.11"));
  }

  static void works(FakeAgent agent) {
    agent.actions.put(
        "backup",
        answers(
            Map.of(
                "location", "s3://bucket/copy",
                "size", "1288490189",
                "checksum", "sha256:abc",
                "version", "7.0.1")));
    agent.actions.put("verify-backup", answers(Map.of("checksum", "sha256:abc")));
    agent.actions.put("delete-backup", answers(Map.of()));
  }

  /** The App as it is deployed, its Plugin and its store. */
  App deploy() {
    createPlugin("redis");
    cluster.create(store());
    var app = createApp(UnaryOperator.identity());
    createComponent(app);
    return app;
  }

  void createPlugin(String type) {
    cluster.createPlugin(
        it ->
            it.replace(
                    "  version: 1.0.0",
                    "  version: 1.0.0\n  agent: {port: %d}".formatted(zero.port()))
                .replace("  - name: redis\n    parameters:", ofType(type)));
  }

  private static String ofType(String type) {
    return "  - name: %s\n    supports: [Backup]\n    parameters:".formatted(type);
  }

  App createApp(UnaryOperator<String> edit) {
    return cluster.createApp(
        it ->
            edit.apply(
                it.replace(
                    "  components:",
                    "  backup: {schedule: '0 3 * * *', store: nightly, retention: 2, timeout: 2h}\n"
                        + "  components:")));
  }

  static BackupStore store() {
    var store = new BackupStore();
    store.setMetadata(new ObjectMetaBuilder().withName("nightly").build());
    store.setSpec(Serialization.unmarshal("folder: {claimName: backups}", BackupStoreSpec.class));
    return store;
  }

  void createComponent(App app) {
    var component = new Component();
    component.setMetadata(
        new ObjectMetaBuilder()
            .withName("cache-db")
            .withLabels(Map.of(Labels.APP, "cache"))
            .addNewOwnerReference()
            .withApiVersion(app.getApiVersion())
            .withKind(app.getKind())
            .withName("cache")
            .withUid(app.getMetadata().getUid())
            .endOwnerReference()
            .build());
    component.setSpec(
        Serialization.unmarshal(
            """
            app: cache
            component: db
            type: redis
            plugin: {name: redis, version: 1.0.0}
            runtime: {name: redis, version: "7.0"}
            groups: [{name: g, replicas: 2}]
            backup: {store: nightly}
            """,
            ComponentSpec.class));
    cluster.create(component);
  }

  /** A Backup that a person asks for. */
  Backup request() {
    var backup = new Backup();
    backup.setMetadata(
        new ObjectMetaBuilder()
            .withName(NAME)
            .withFinalizers(Labels.BACKUP)
            .withLabels(Map.of(Labels.APP, "cache"))
            .build());
    backup.setSpec(new BackupSpec("cache", null, null));
    return cluster.create(backup);
  }

  BackupRef ref() {
    return ref(RUN);
  }

  BackupRef ref(String run) {
    var id = "backup/%s/%s".formatted(cluster.namespace(), NAME);
    return new BackupRef("", cluster.namespace(), "cache", NAME, id, run, false);
  }

  BackupRef scheduled(String name) {
    var id = "backup/%s/cache-%s".formatted(cluster.namespace(), name);
    return new BackupRef("", cluster.namespace(), "cache", name, id, RUN, true);
  }

  /** The run of a Backup that a change takes before it upgrades the App to this generation. */
  BackupRef beforeUpgradeTo(long generation, String name) {
    var id = "backup/%s/%s".formatted(cluster.namespace(), name);
    return new BackupRef(
        "", cluster.namespace(), "cache", name, id, RUN, false, Optional.of(generation));
  }

  static GroupCopy copyOf(BackupRef ref) {
    return new GroupCopy(ref, new BackupGroup("db", "g"));
  }

  KubernetesBackupActivities activities() {
    var policy = new AgentPolicy(Duration.ofSeconds(5), 1, 65_536);
    return new KubernetesBackupActivities(
        new KubernetesBackupActivities.Context(
            cluster.client(),
            engine.plugins,
            view,
            new ClusterWaiter(view, this::heartbeat),
            new AgentQueries(channels, policy),
            new AgentActions(channels, policy),
            deletedSchedules::add,
            engine.events,
            engine.secrets,
            meters,
            Clock.systemUTC(),
            patience));
  }

  /** Copies the group, as the activity does. */
  void copy() {
    copy(otherwise -> otherwise);
  }

  void copy(CopyTimeLimit limit) {
    activities().copyGroup(copyOf(ref()), limit);
  }

  private void heartbeat(String message) {
    engine.heartbeats.add(message);
    if (engine.cancelled) {
      throw new ActivityCanceledException();
    }
  }

  Backup backup(String name) {
    return cluster.named(Backup.class, name).get();
  }

  BackupStatus status() {
    return backup(NAME).getStatus();
  }

  BackupCopy copied() {
    return status().copy("db", "g").orElseThrow();
  }

  static List<String> actions(FakeAgent agent) {
    return agent.calls.stream().filter(call -> call.startsWith("run ")).toList();
  }

  /** The reasons of the events on objects of this kind. */
  List<String> reasons(String kind) {
    return cluster.events().stream()
        .filter(event -> kind.equals(event.getRegarding().getKind()))
        .map(Event::getReason)
        .toList();
  }

  @Override
  public void close() {
    channels.close();
    zero.close();
    one.close();
  }
}
