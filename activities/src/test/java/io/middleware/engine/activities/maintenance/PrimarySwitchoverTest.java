package io.middleware.engine.activities.maintenance;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.SampleObjects.unready;
import static io.middleware.engine.cluster.agents.FakeAgent.switchesOverTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.middleware.engine.activities.maintenance.PrimarySwitchover.SwitchoverResult;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StopChecks;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Switchovers of the pod db-0, which was the primary when the pods were put in order. */
class PrimarySwitchoverTest {
  private static final String HERE = "127.0.0.1";
  private static final PodState POD = readyAt("db-0", "old", HERE);

  private final AgentChannels channels = new AgentChannels(name -> null);
  private final FakeView view = new FakeView();
  private final List<String> messages = new ArrayList<>();
  private AppliedStatefulSet applied = new AppliedStatefulSet("db", 4, "set-uid");
  private boolean switchover = true;
  private String roleBefore = "primary";
  private boolean remembered;
  private FakeAgent agent;

  @BeforeEach
  void start() throws IOException {
    agent = new FakeAgent(HERE, 0);
    view.sets.add(set(3, 4));
    view.pods.add(POD);
  }

  @AfterEach
  void stop() {
    channels.close();
    agent.close();
  }

  @Test
  void shouldBeDueForAPrimaryWithOtherPods() {
    assertThat(isDue(POD, "primary", 3)).isTrue();
    assertThat(isDue(POD, "replica", 3)).isFalse();
    assertThat(isDue(POD, "primary", 1)).isFalse();
    assertThat(isDue(unready("db-0", "old"), "primary", 3)).isFalse();
  }

  @Test
  void shouldNotBeDueWhereThePluginDoesNotWantIt() {
    switchover = false;
    assertThat(isDue(POD, "primary", 3)).isFalse();
  }

  @Test
  void shouldUseTheOrderedRoleWhenTheAgentDoesNotAnswer() {
    assertThat(isDue(POD, "", 3)).isTrue();
    roleBefore = "replica";
    assertThat(isDue(POD, "", 3)).isFalse();
  }

  @Test
  void shouldNameTheOperationAfterTheStepAndCountIt() {
    // Given
    agent.switchover = switchesOverTo("db-1");
    var switchover = switchover();
    // When
    var primary = switchover.run(POD, messages::add);
    switchover.run(POD, messages::add);
    // Then
    assertThat(primary).isEqualTo(new SwitchoverResult("db-1", Optional.empty()));
    assertThat(agent.calls)
        .containsExactly("switch over run/step/switchover-1", "switch over run/step/switchover-2");
    assertThat(switchover.isDone()).isTrue();
    assertThat(switchover.isDue(set(3, 4), POD, "")).isFalse();
    assertThat(switchover.isDue(set(3, 4), POD, "primary")).isTrue();
  }

  @Test
  void shouldQuoteAnAgentThatRefuses() {
    agent.switchover = to -> to.onError(failure(Status.FAILED_PRECONDITION, "db-1 is behind"));
    assertFails(
        "AgentRefused", "pod db-0 is the primary and has not switched over", "db-1 is behind");
  }

  @Test
  void shouldSayWhatToDoAboutAnAgentWithoutSwitchover() {
    agent.switchover = to -> to.onError(failure(Status.UNIMPLEMENTED, "no such method"));
    assertFails(
        "AgentRefused",
        "it does not implement this: no such method",
        "set switchover to false in the Plugin");
  }

  @Test
  void shouldFailWhenAnAgentDoesNotAnswer() {
    agent.close();
    assertFails(
        "AgentsUnavailable",
        "pod db-0 is the primary and has not switched over",
        "connection refused");
  }

  @Test
  void shouldNotRetryForEverWhenThePodStaysPrimary() {
    // Given
    agent.switchover = switchesOverTo("db-1");
    var switchover = switchover();
    for (var i = 0; i < 3; i++) {
      switchover.run(POD, messages::add);
    }
    // When Then
    assertThatThrownBy(() -> switchover.run(POD, messages::add))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("AgentRefused"))
        .hasMessageContaining("reported 3 successful switchovers");
    assertThat(agent.calls).hasSize(3);
  }

  @Test
  void shouldWaitForSurplusPodsToBeRemoved() {
    // Given
    agent.switchover = switchesOverTo("db-1");
    view.pods.add(readyAt("db-3", "new", "127.0.0.2"));
    var waiter =
        new ClusterWaiter(
            view,
            message -> {
              messages.add(message);
              view.pods.removeIf(pod -> pod.name().equals("db-3"));
            });
    // When
    switchover(waiter).run(POD, messages::add);
    // Then
    assertThat(messages.getFirst()).isEqualTo("pod db-3: is about to be removed");
    assertThat(agent.calls).hasSize(1);
  }

  @Test
  void shouldNotWaitForPodsOfAStatefulSetThatWasReplaced() {
    // Given
    agent.switchover = switchesOverTo("db-1");
    applied = new AppliedStatefulSet("db", 4, "another");
    view.pods.add(readyAt("db-3", "new", "127.0.0.2"));
    // When
    switchover().run(POD, messages::add);
    // Then
    assertThat(messages).noneMatch(text -> text.contains("db-3"));
  }

  @Test
  void shouldLetTheLastKnownPrimaryGoWhenItCannotBeReached() {
    // Given
    remembered = true;
    agent.switchover = to -> to.onError(failure(Status.UNAVAILABLE, "election"));
    var switchover = switchover();
    // When
    var result = switchover.run(POD, messages::add);
    // Then
    assertThat(result.unreached().orElseThrow())
        .contains("is replaced without a switchover", "UNAVAILABLE: election");
    assertThat(switchover.isDone()).isFalse();
    assertThat(switchover.isDue(set(3, 4), POD, "")).isFalse();
  }

  @Test
  void shouldNotTouchTheLastKnownPrimaryThatRefuses() {
    remembered = true;
    agent.switchover = to -> to.onError(failure(Status.FAILED_PRECONDITION, "split brain"));
    assertFails("AgentRefused", "split brain");
  }

  private void assertFails(String kind, String... texts) {
    assertThatThrownBy(() -> switchover().run(POD, messages::add))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo(kind);
              assertThat(e.getOriginalMessage()).contains(texts);
            });
  }

  private boolean isDue(PodState pod, String role, int replicas) {
    return switchover().isDue(set(replicas, 4), pod, role);
  }

  private PrimarySwitchover switchover() {
    return switchover(new ClusterWaiter(view, messages::add));
  }

  private PrimarySwitchover switchover(ClusterWaiter waiter) {
    var actions = new AgentActions(channels, new AgentPolicy(Duration.ofSeconds(5), 3, 1024));
    var context = new PodStepContext(view, waiter, null, null, null, StopChecks.NONE);
    var change = new ChangeRef("shop", "cache", "uid", 7, "run");
    var request =
        new ReplaceRequest(
            new GroupRef(new TaskRef(change, "7-x-db", ChangeType.VERSION_UPGRADE, "db"), "g"),
            applied,
            new OutdatedPod(
                "db-0",
                "uid-of-db-0",
                Optional.of(roleBefore).filter(it -> !it.isEmpty()),
                remembered),
            1,
            new AgentEndpoint(agent.port(), ""),
            false,
            switchover);
    return new PrimarySwitchover(context, actions, request, "run/step");
  }

  private static RuntimeException failure(Status status, String why) {
    return status.withDescription(why).asRuntimeException();
  }
}
