package io.middleware.engine.activities.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.checks.KubernetesCheckActivities.CheckOutputs;
import io.middleware.engine.activities.checks.KubernetesCheckActivities.CheckSources;
import io.middleware.engine.api.App;
import io.middleware.engine.api.check.CheckResult;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.WatchedChecks;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.cluster.status.CheckResultWriter;
import io.middleware.engine.planning.condition.AnsweringServer;
import io.middleware.engine.planning.condition.EndpointPolicy;
import io.middleware.engine.planning.condition.HttpSources;
import io.middleware.engine.workflows.port.CheckActivities.CheckRequest;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A task in work on the group g, with the primary cache-db-g-0 and the replica cache-db-g-1, and a
 * server that its checks ask.
 */
final class CheckScene implements AutoCloseable {
  private static final String TASK = "1-versionupgrade-db";

  private static final String CHECKS =
      """
          checks:
          - name: in-sync
            within: 1s
            allOf: [{agent: {ask: lag, role: Replica, cel: int(answer) < 1048576}}]
          - name: patient
            within: 60s
            allOf: [{agent: {ask: lag, role: Replica, cel: int(answer) < 1048576}}]
          - name: steady
            within: 1s
            for: 1s
            allOf: [{cel: "nodes.all(n, n.ready)"}]
          - name: verified
            within: 1s
            allOf: [{webhook: {url: "@URL@/verify", function: redis, params: {level: strict}}}]
          - name: calm
            within: 1s
            allOf: [{prometheus: {query: "errors{app='$(app)', group='$(group)'}", cel: "result[0] < 1.0"}}]
          - name: written
            within: 1s
            allOf: [{cel: "object('ConfigMap', 'cache-db-g').data.size() > 0"}]
          - name: foreign
            within: 1s
            allOf: [{cel: "object('ConfigMap', 'other').data.size() > 0"}]
          - name: serves
            during: Change
            every: 1s
            failureThreshold: 3
            allOf: [{webhook: {url: "@URL@/serves"}}]
          - name: safe
            before: Pod
            allOf: [{agent: {ask: safe-to-stop, cel: answer == 'yes'}}, {cel: "nodes.all(n, n.ready || n.pod == node.pod)"}]
          - name: primary-safe
            before: Pod
            allOf: [{agent: {ask: safe-to-stop, role: Primary, cel: answer == 'yes'}}]
          - name: complete
            after: Task
            within: 1s
            allOf: [{cel: size(nodes) == replicas}, {cel: "nodes.exists_one(n, n.role == 'primary')"}]
          groups:
      """;

  final LocalNamespace cluster;
  final LocalEngine engine;
  final AnsweringServer server = new AnsweringServer();
  final FakeAgent zero;
  final FakeAgent one;
  final TaskRef task;
  final KubernetesCheckActivities activities;
  private final FakeWorkload workload;
  private final AgentChannels channels = new AgentChannels(name -> null);
  private final HttpSources http =
      HttpSources.of(EndpointPolicy.of(List.of(server.host()), server.url()));

  CheckScene(LocalNamespace cluster) throws IOException {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    zero = new FakeAgent("127.0.0.10", 0);
    one = new FakeAgent("127.0.0.11", zero.port());
    zero.role = "primary";
    one.answers.put("lag", "0");
    var app = app();
    workload = new FakeWorkload(cluster, 2);
    workload.create(0, "new", true);
    workload.create(1, "new", true);
    var change = engine.begin(app);
    var provision = new TaskRef(change, "1-provision-db", ChangeType.PROVISION, "db");
    engine.resources().openComponent(provision);
    task = new TaskRef(change, TASK, ChangeType.VERSION_UPGRADE, "db");
    cluster.patchStatus(
        "{\"tasks\": [{\"id\": \"%s\", \"component\": \"db\", \"status\": \"InProgress\"}]}"
            .formatted(TASK));
    activities = activities();
  }

  private App app() {
    var agent = "agent: {port: %d}\n  componentTypes:".formatted(zero.port());
    cluster.createPlugin(text -> text.replace("componentTypes:", agent));
    var app =
        cluster.createApp(
            text -> text.replace("    groups:\n", CHECKS.replace("@URL@", server.url())));
    cluster.keepSpec(app, app.getMetadata().getUid(), app.getSpec());
    return app;
  }

  @Override
  public void close() {
    channels.close();
    http.close();
    server.close();
    zero.close();
    one.close();
  }

  /** Pauses the App, and waits until that is seen. */
  void pause() {
    pause(true);
    cluster.awaitSeen(
        () -> cluster.view().app(AppKey.of(task.change())).filter(App::isPaused).isPresent());
  }

  void resume() {
    pause(false);
  }

  void unready(int pod) {
    workload.unready(pod);
  }

  private void pause(boolean paused) {
    cluster
        .named(App.class, "cache")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"paused\": %s}}".formatted(paused));
  }

  /** Cancels the activity, which asks when the status changes. */
  /** Cancels this step; it asks whether it is cancelled when it sees that the change goes on. */
  void cancel(Future<?> step) {
    engine.cancelled = true;
    var seen = new AtomicInteger();
    cluster
        .await()
        .until(
            () -> {
              var task = "task-" + seen.incrementAndGet();
              cluster.patchStatus("{\"change\": {\"currentTask\": \"%s\"}}".formatted(task));
              return step.isDone();
            });
  }

  CheckRequest ofGroup(String... names) {
    return new CheckRequest(task, Optional.of("g"), List.of(names));
  }

  /** What a step does that is about to replace a pod beside these checks. */
  boolean hold(List<WatchedChecks> beside) {
    return activities.hold(task.watchedBy(beside), "pod x: to be replaced");
  }

  void assertFails(String check, String text) {
    assertThatThrownBy(() -> activities.awaitChecks(ofGroup(check)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("CheckFailed");
              assertThat(e.isNonRetryable()).isTrue();
              assertThat(e.getOriginalMessage()).contains(text);
            });
  }

  List<CheckResult> results() {
    return cluster.named(App.class, "cache").get().getStatus().tasks().getFirst().checks();
  }

  private KubernetesCheckActivities activities() {
    var agents = new AgentQueries(channels, new AgentPolicy(Duration.ofSeconds(2), 1, 1 << 18));
    return new KubernetesCheckActivities(
        new CheckSources(
            cluster.client(),
            engine.writers,
            engine.objects,
            cluster.view(),
            engine.waiter,
            engine.gate,
            engine.plugins,
            agents,
            http),
        new CheckOutputs(
            new CheckResultWriter(engine.status, engine.secrets, Clock.systemUTC()),
            new ActionProgressWriter(engine.status, engine.secrets),
            engine.events));
  }
}
