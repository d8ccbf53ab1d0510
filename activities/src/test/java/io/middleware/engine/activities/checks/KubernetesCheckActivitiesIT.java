package io.middleware.engine.activities.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.grpc.Status;
import io.middleware.engine.activities.agents.AgentChannels;
import io.middleware.engine.activities.agents.AgentPolicy;
import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.agents.FakeAgent;
import io.middleware.engine.activities.apiserver.ApiServer;
import io.middleware.engine.activities.apiserver.TestCluster;
import io.middleware.engine.activities.apiserver.TestEngine;
import io.middleware.engine.activities.apiserver.TestWorkload;
import io.middleware.engine.activities.checks.KubernetesCheckActivities.CheckOutputs;
import io.middleware.engine.activities.checks.KubernetesCheckActivities.CheckSources;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.status.ActionProgressWriter;
import io.middleware.engine.activities.status.CheckResultWriter;
import io.middleware.engine.api.App;
import io.middleware.engine.api.CheckResult;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.workflows.port.CheckActivities;
import io.middleware.engine.workflows.port.CheckActivities.CheckRequest;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checks of the group g: the primary cache-db-g-0 and the replica cache-db-g-1. */
@ExtendWith(ApiServer.class)
class KubernetesCheckActivitiesIT {
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
          - name: complete
            after: Task
            within: 1s
            allOf: [{cel: size(nodes) == replicas}, {cel: "nodes.exists_one(n, n.role == 'primary')"}]
          groups:
      """;

  private final TestCluster cluster;
  private final TestEngine engine;
  private final AgentChannels channels = new AgentChannels(name -> null);
  private FakeAgent zero;
  private FakeAgent one;
  private TaskRef task;
  private CheckActivities activities;

  KubernetesCheckActivitiesIT(TestCluster cluster) {
    this.cluster = cluster;
    this.engine = new TestEngine(cluster);
  }

  @BeforeEach
  void start() throws IOException {
    zero = new FakeAgent("127.0.0.10", 0);
    one = new FakeAgent("127.0.0.11", zero.port());
    zero.role = "primary";
    one.answers.put("lag", "0");
    var agent = "agent: {port: %d}\n  componentTypes:".formatted(zero.port());
    cluster.createPlugin(text -> text.replace("componentTypes:", agent));
    var app = cluster.createApp(text -> text.replace("    groups:\n", CHECKS));
    cluster.keepSpec(app, app.getMetadata().getUid(), app.getSpec());
    var workload = new TestWorkload(cluster, 2);
    workload.create(0, "new", true);
    workload.create(1, "new", true);
    var change = engine.begin(app);
    var provision = new TaskRef(change, "1-provision-db", ChangeType.PROVISION, "db");
    engine.resources().openComponent(provision);
    task = new TaskRef(change, TASK, ChangeType.VERSION_UPGRADE, "db");
    cluster.patchStatus(
        "{\"tasks\": [{\"id\": \"%s\", \"status\": \"InProgress\"}]}".formatted(TASK));
    activities = activities();
  }

  @AfterEach
  void stop() {
    channels.close();
    zero.close();
    one.close();
  }

  @Test
  void shouldHoldAtOnceAndSayWhatWasFound() {
    // When
    var hold = activities.checksHold(ofGroup("in-sync"));
    // Then
    assertThat(hold).isTrue();
    assertThat(results())
        .extracting(CheckResult::name, CheckResult::group, CheckResult::passed, CheckResult::actual)
        .containsExactly(tuple("in-sync", "g", true, "cache-db-g-1: lag = 0"));
    assertThat(zero.calls).doesNotContain("measure lag");
  }

  @Test
  void shouldCheckTheWholeComponent() {
    assertThat(activities.checksHold(new CheckRequest(task, Optional.empty(), List.of("complete"))))
        .isTrue();
    assertThat(results())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.group()).isNull();
              assertThat(it.actual())
                  .isEqualTo(
                      "nodes = [cache-db-g-0 primary ready, cache-db-g-1 replica ready], replicas ="
                          + " 2; nodes = [cache-db-g-0 primary ready, cache-db-g-1 replica ready]");
            });
  }

  @Test
  void shouldFailWithWhatWasFoundAndWhatWasExpected() {
    // Given
    one.answers.put("lag", "5242880");
    // When Then
    assertThat(activities.checksHold(ofGroup("in-sync"))).isFalse();
    assertFails(
        "CheckFailed",
        "check in-sync of db/g did not hold within 1 s: cache-db-g-1: lag = 5242880, expected"
            + " int(answer) < 1048576");
    assertThat(results())
        .extracting(CheckResult::passed, CheckResult::actual, CheckResult::message)
        .containsExactly(
            tuple(
                false,
                "cache-db-g-1: lag = 5242880",
                "cache-db-g-1: lag = 5242880, expected int(answer) < 1048576"));
    assertThat(cluster.events())
        .filteredOn(event -> event.getReason().equals("CheckFailed"))
        .singleElement()
        .satisfies(event -> assertThat(event.getNote()).contains("lag = 5242880"));
  }

  @Test
  void shouldWaitUntilItHolds() {
    // Given
    one.answers.put("lag", "5242880");
    var waits = CompletableFuture.runAsync(() -> activities.awaitChecks(ofGroup("patient")));
    cluster.await().until(() -> one.calls.contains("measure lag"));
    // When
    one.answers.put("lag", "7");
    // Then
    waits.join();
    assertThat(results())
        .extracting(CheckResult::passed, CheckResult::actual)
        .containsExactly(tuple(true, "cache-db-g-1: lag = 7"));
  }

  @Test
  void shouldFailWhenTheAgentRefusesTheQuestion() {
    // Given
    one.answers.clear();
    // When Then
    assertFails("CheckFailed", "this agent does not know the question lag");
  }

  @Test
  void shouldNotGuessWhatASilentAgentWouldAnswer() {
    // Given
    one.measureFailure = Status.UNAVAILABLE.withDescription("loading");
    // When Then
    assertFails("CheckFailed", "not known: the agent of pod cache-db-g-1 ");
    assertThat(results()).extracting(CheckResult::passed).containsExactly(false);
  }

  @Test
  void shouldNotGuessTheRoleOfASilentAgent() {
    // Given
    one.role = "";
    // When Then
    assertFails("CheckFailed", "not known: pod cache-db-g-1: its agent does not report its role");
  }

  @Test
  void shouldKeepHoldingBeforeItPasses() {
    // When Then
    assertThat(activities.checksHold(ofGroup("steady"))).isFalse();
    var begin = System.nanoTime();
    activities.awaitChecks(ofGroup("steady"));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(1));
    assertThat(results()).extracting(CheckResult::name).containsExactly("steady");
  }

  @Test
  void shouldWaitWhileTheAppIsPaused() {
    // Given
    one.answers.put("lag", "5242880");
    pause(true);
    cluster.awaitSeen(
        () -> cluster.view().app(AppKey.of(task.change())).filter(App::isPaused).isPresent());
    assertThat(activities.checksHold(ofGroup("in-sync"))).isFalse();
    var waits = CompletableFuture.runAsync(() -> activities.awaitChecks(ofGroup("in-sync")));
    engine.awaitHeartbeat("App cache is paused");
    assertThat(one.calls).doesNotContain("measure lag");
    // When
    one.answers.put("lag", "0");
    pause(false);
    // Then
    waits.join();
  }

  @Test
  void shouldEndEarlyWhenItIsCancelled() {
    // Given
    one.answers.put("lag", "5242880");
    engine.cancelled = true;
    var waits = CompletableFuture.runAsync(() -> activities.awaitChecks(ofGroup("patient")));
    cluster.await().until(() -> one.calls.contains("measure lag"));
    // When
    cluster.patchStatus("{\"change\": {\"currentTask\": \"x\"}}");
    // Then
    assertThatThrownBy(waits::join).hasRootCauseInstanceOf(ActivityCanceledException.class);
  }

  private void pause(boolean paused) {
    cluster
        .named(App.class, "cache")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"paused\": %s}}".formatted(paused));
  }

  private CheckRequest ofGroup(String... names) {
    return new CheckRequest(task, Optional.of("g"), List.of(names));
  }

  private void assertFails(String kind, String text) {
    assertThatThrownBy(() -> activities.awaitChecks(ofGroup("in-sync")))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo(kind);
              assertThat(e.isNonRetryable()).isTrue();
              assertThat(e.getOriginalMessage()).contains(text);
            });
  }

  private List<CheckResult> results() {
    return cluster.named(App.class, "cache").get().getStatus().tasks().getFirst().checks();
  }

  private KubernetesCheckActivities activities() {
    var agents = new AgentQueries(channels, new AgentPolicy(Duration.ofSeconds(2), 1, 1 << 18));
    return new KubernetesCheckActivities(
        new CheckSources(
            cluster.client(),
            engine.objects,
            cluster.view(),
            engine.waiter,
            engine.gate,
            engine.plugins,
            agents),
        new CheckOutputs(
            new CheckResultWriter(engine.status, engine.secrets, Clock.systemUTC()),
            new ActionProgressWriter(engine.status, engine.secrets),
            engine.events));
  }
}
