package io.middleware.engine.activities.maintenance;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.agents.FakeAgent.switchesOverTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.grpc.Status;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.pods.FakeStopChecks;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StepReporter;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.proto.tool.v1.DrainResponse;
import io.middleware.engine.proto.tool.v1.Drained;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.DrainFirst;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The pods db-2 and db-1 of a group go for good; db-0 stays. Agents answer for db-1 and db-2. */
@ExtendWith(ApiServer.class)
class PodDrainIT {
  private final LocalEngine engine;
  private final LocalNamespace cluster;
  private final AgentChannels channels = new AgentChannels(name -> null);
  private final FakeView view = new FakeView();
  private final List<String> drained = new ArrayList<>();
  private String lastPrimary = "";
  private ChangeRef change;
  private FakeAgent one;
  private FakeAgent two;

  PodDrainIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  private final FakeStopChecks checks = new FakeStopChecks();
  private ChangeType type = ChangeType.RESOURCES;

  @BeforeEach
  void start() throws IOException {
    change = engine.begin(cluster.createApp());
    one = new FakeAgent("127.0.0.11", 0);
    two = new FakeAgent("127.0.0.12", one.port());
    view.pods.add(readyAt("db-0", "new", "127.0.0.10"));
    view.pods.add(readyAt("db-1", "new", "127.0.0.11"));
    view.pods.add(readyAt("db-2", "new", "127.0.0.12"));
  }

  @AfterEach
  void stop() {
    channels.close();
    one.close();
    two.close();
  }

  @Test
  void shouldLetThePrimarySwitchOverBeforeAnyPodIsDrained() {
    // Given
    primary(one, two, "db-0");
    // When
    drain(true);
    // Then
    assertThat(actions(one)).containsExactly("switch over run/step/switchover-1", drainOf("db-1"));
    assertThat(actions(two)).containsExactly(drainOf("db-2"));
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .filteredOn(event -> event.getReason().equals("PrimarySwitchedOver"))
                    .singleElement()
                    .satisfies(
                        event ->
                            assertThat(event.getNote())
                                .isEqualTo(
                                    "pod db-1 has switched over to db-0, because it is about to be removed")));
  }

  @Test
  void shouldSwitchOverAgainWhenTheNextPrimaryGoesAsWell() {
    // Given
    primary(two, one, "db-1");
    one.switchover =
        to -> {
          one.role = "replica";
          switchesOverTo("db-0").accept(to);
        };
    // When
    drain(true);
    // Then
    assertThat(actions(two)).containsExactly("switch over run/step/switchover-1", drainOf("db-2"));
    assertThat(actions(one)).containsExactly("switch over run/step/switchover-2", drainOf("db-1"));
  }

  @Test
  void shouldDrainNoPodWhenThePrimaryRefusesToSwitchOver() {
    // Given
    one.role = "primary";
    one.switchover =
        to ->
            to.onError(
                Status.FAILED_PRECONDITION.withDescription("db-0 is behind").asRuntimeException());
    // When Then
    assertFails(
        "AgentRefused",
        "pod db-1 is to be removed from group g and is the primary, but has not switched over; no pod was removed",
        "db-0 is behind");
    assertThat(actions(two)).isEmpty();
  }

  @Test
  void shouldEndWhenThePrimaryNeverLeavesThePodsThatGo() {
    // Given
    primary(two, one, "db-1");
    primary(one, two, "db-2");
    one.role = "primary";
    // When Then
    assertFails("AgentRefused", "after 4 successful switchovers");
    assertThat(actions(one)).noneMatch(call -> call.startsWith("drain"));
  }

  @Test
  void shouldOnlyDrainWhereThePluginDoesNotWantASwitchover() {
    // Given
    primary(one, two, "db-0");
    // When
    drain(false);
    // Then
    assertThat(actions(one)).containsExactly(drainOf("db-1"));
  }

  @Test
  void shouldLetAPodGoWhoseAgentDoesNotAnswer() {
    // Given
    two.drain = to -> to.onError(Status.UNAVAILABLE.asRuntimeException());
    one.drain =
        to -> {
          to.onNext(DrainResponse.newBuilder().setDone(Drained.getDefaultInstance()).build());
          to.onCompleted();
        };
    // When
    drain(true);
    // Then
    assertThat(actions(one)).containsExactly(drainOf("db-1"));
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .extracting(Event::getReason, event -> event.getNote().split(":")[0])
                    .containsExactlyInAnyOrder(
                        tuple("PodNotDrained", "pod db-2 is removed without a drain"),
                        tuple(
                            "PodDrained", "pod db-1 is drained by its agent; it is removed next")));
  }

  @Test
  void shouldLetTheLastKnownPrimaryGoWhoseAgentIsDead() {
    // Given
    lastPrimary = "db-2";
    two.close();
    // When
    drain(true);
    // Then
    assertThat(actions(one)).containsExactly(drainOf("db-1"));
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .extracting(Event::getReason, event -> event.getNote().split(":")[0])
                    .contains(
                        tuple(
                            "PrimaryNotSwitchedOver",
                            "pod db-2 was the primary when its agent was last heard; it is removed without a switchover")));
  }

  @Test
  void shouldLetTheLastKnownPrimarySwitchOverWhoseAgentReportsNoRole() {
    // Given
    lastPrimary = "db-1";
    one.role = "no role";
    one.switchover =
        to -> {
          one.role = "replica";
          switchesOverTo("db-0").accept(to);
        };
    // When
    drain(true);
    // Then
    assertThat(actions(one)).containsExactly("switch over run/step/switchover-1", drainOf("db-1"));
  }

  /** From now on: a switchover of the one makes the other a primary, if that is its successor. */
  private static void primary(FakeAgent agent, FakeAgent other, String successor) {
    agent.role = "primary";
    agent.switchover =
        to -> {
          agent.role = "replica";
          other.role = successor.equals("db-0") ? "replica" : "primary";
          switchesOverTo(successor).accept(to);
        };
  }

  private void assertFails(String kind, String... texts) {
    assertThatThrownBy(() -> drain(true))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo(kind);
              assertThat(e.getOriginalMessage()).contains(texts);
            });
  }

  /** Nobody can take over from the last pods of a group; their data stay on the volumes. */
  @Test
  void shouldRemoveAWholeGroupWhoseAgentsRefuseToDrain() {
    // Given
    type = ChangeType.REMOVE;
    refuseToDrain();
    // When
    drain(false);
    // Then
    assertThat(actions(two)).containsExactly(drainOf("db-2"));
    assertThat(cluster.events())
        .filteredOn(event -> event.getReason().equals("PodNotDrained"))
        .anySatisfy(
            event -> assertThat(event.getNote()).contains("goes with its whole group", "no other"));
  }

  /** Its agent would wait for somebody to take over, who is not there. */
  @Test
  void shouldRemoveAWholeGroupWithoutADrainWhereItsLossIsAccepted() {
    // Given
    type = ChangeType.REMOVE;
    cluster
        .named(App.class, "cache")
        .edit(
            it -> {
              it.getMetadata().setAnnotations(Map.of(Labels.ACCEPT_DATA_LOSS, "1"));
              return it;
            });
    // When
    drain(false);
    // Then
    assertThat(actions(one)).isEmpty();
    assertThat(actions(two)).isEmpty();
  }

  @Test
  void shouldTellOfEachPodThatItIsDoneWith() {
    // Given
    two.drain = to -> to.onError(Status.UNAVAILABLE.asRuntimeException());
    refuse(one);
    // When
    assertThatThrownBy(() -> drain(false)).hasMessageContaining("refuses to drain it");
    // Then
    assertThat(drained).containsExactly("db-2");
  }

  @Test
  void shouldDrainAPodOnlyOnceTheChecksBeforeItHold() {
    // Given
    checks.answer =
        pod ->
            checks.asked.size() < 3
                ? Optional.of("check safe: 1 member is down")
                : Optional.empty();
    // When
    drain(false);
    // Then
    assertThat(checks.asked).containsExactly("db-2", "db-2", "db-2", "db-1", "db-2", "db-1");
    assertThat(actions(two)).containsExactly(drainOf("db-2"));
    assertThat(cluster.events())
        .filteredOn(event -> event.getReason().equals("StopRefused"))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getNote())
                    .startsWith("pod db-2 is not stopped yet: check safe: 1 member is down"));
  }

  @Test
  void shouldNotAskBeforeTheEndOfAWholeGroup() {
    // Given
    type = ChangeType.REMOVE;
    checks.answer = pod -> Optional.of("check safe: the last member");
    // When
    drain(false);
    // Then
    assertThat(checks.asked).isEmpty();
  }

  @Test
  void shouldNotShrinkAGroupWhoseAgentRefusesToDrain() {
    refuseToDrain();
    assertThatThrownBy(() -> drain(false)).hasMessageContaining("refuses to drain it");
  }

  private void refuseToDrain() {
    refuse(one);
    refuse(two);
  }

  private static void refuse(FakeAgent agent) {
    agent.drain =
        to ->
            to.onError(
                Status.FAILED_PRECONDITION
                    .withDescription("no other pod can take over")
                    .asRuntimeException());
  }

  private void drain(boolean switchover) {
    var policy = new AgentPolicy(Duration.ofSeconds(5), 3, 1024);
    var context =
        new PodStepContext(
            view,
            engine.waiter,
            engine.gate,
            null,
            new StepReporter(
                engine.events, new ActionProgressWriter(engine.status, engine.secrets)),
            checks);
    var request =
        new DrainRequest(
            new GroupRef(new TaskRef(change, "1-task-db", type, "db"), "g"),
            new DrainFirst(
                Stream.of("db-2", "db-1").map(pod -> new LeavingPod(pod, "uid-of-" + pod)).toList(),
                new AgentEndpoint(one.port(), ""),
                switchover));
    new PodDrain(
            context,
            new AgentQueries(channels, policy),
            (group, pods) ->
                pods.stream().map(PodState::name).filter(lastPrimary::equals).findFirst(),
            new AgentActions(channels, policy),
            request,
            "run/step")
        .run(drained::add);
  }

  private static String drainOf(String pod) {
    return "drain run/step/drain/uid-of-" + pod;
  }

  private static List<String> actions(FakeAgent agent) {
    return agent.calls.stream().filter(call -> !call.equals("role")).toList();
  }
}
