package io.middleware.engine.cluster.agents;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.SampleObjects.unready;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.Status;
import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.SampleObjects;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.OrderingActivities.GroupOrderRequest;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An agent that is slow to answer, as on a busy machine, is asked again. */
class GrpcOrderingActivitiesTest extends OrderingScene {
  /** A port at which no agent listens. */
  private static final int NOBODY = 1;

  private static final String ACTIONS =
      """
      name: redis
      actions: [{name: check, runs: Job}, {name: save}]
      """;

  @Test
  void shouldUseTheGroupOrderOfAnAgent() {
    first.order = List::reversed;
    second.order = List::reversed; // asked as well when the first is slow
    assertThat(groupOrder(ChangeType.VERSION_UPGRADE))
        .isEqualTo(new ExecutionOrder(List.of("s-10", "s-2"), false));
    assertThat(first.calls).containsOnly("SCENARIO_UPGRADE {db=[s-2, s-10]}");
  }

  /** The pods that run are of the earlier Plugin, whose agents listen elsewhere. */
  @Test
  void shouldAskPodsAsTheirOwnPluginSays() {
    // Given
    declaredPort = NOBODY;
    first.role = "primary";
    var agents = new Agents(first.port(), "", true);
    own.putAll(Map.of("db-0", agents, "db-1", agents));
    // When
    var order = podOrder(4);
    // Then
    assertThat(order.degraded()).isEmpty();
    assertThat(order.switchover()).isTrue();
    assertThat(order.pods())
        .extracting(OutdatedPod::name, OutdatedPod::role)
        .contains(tuple("db-0", Optional.of("primary")));
  }

  @Test
  void shouldSwitchOverAsTheTypeSays() {
    // Given
    types = List.of(Serialization.unmarshal("name: redis\nswitchover: true", ComponentType.class));
    // When Then
    assertThat(podOrder(4).switchover()).isTrue();
    // Given
    types = List.of(Serialization.unmarshal("name: pool\nswitchover: true", ComponentType.class));
    // When Then
    assertThat(podOrder(4).switchover()).isFalse();
  }

  @Test
  void shouldNotAskPodsWhoseOwnPluginHasNoAgents() {
    // Given
    var none = new Agents(0, "", false);
    own.putAll(Map.of("db-0", none, "db-1", none));
    // When
    var order = podOrder(4);
    // Then
    assertThat(first.calls).isEmpty();
    assertThat(order.switchover()).isFalse();
  }

  @Test
  void shouldTreatAnEmptyOrderAsConcurrent() {
    first.order = names -> List.of();
    second.order = first.order; // asked as well when the first is slow
    assertThat(groupOrder(ChangeType.CONFIG))
        .isEqualTo(new ExecutionOrder(List.of("s-2", "s-10"), true));
  }

  @Test
  void shouldAskAnotherPodWhenOneHangs() {
    first.hangs = true;
    deadline = Duration.ofSeconds(1);
    assertThat(groupOrder(ChangeType.VERSION_UPGRADE).degraded()).isEmpty();
    assertThat(second.calls).isNotEmpty();
  }

  @Test
  void shouldReachARestartedAgentAtTheSameAddress() throws IOException {
    var port = first.port();
    first.close();
    second.close();
    assertThat(groupOrder(ChangeType.VERSION_UPGRADE).degraded().orElseThrow())
        .contains("connection refused");
    first = new FakeAgent("127.0.0.1", port);
    assertThat(groupOrder(ChangeType.VERSION_UPGRADE).degraded()).isEmpty();
  }

  @Test
  void shouldFallBackAfterThreeAttemptsAndSayWhy() {
    first.failure = Status.UNAVAILABLE.withDescription("election");
    second.failure = Status.UNAVAILABLE.withDescription("election");
    assertThat(groupOrder(ChangeType.VERSION_UPGRADE))
        .isEqualTo(
            new ExecutionOrder(
                List.of("s-2", "s-10"),
                false,
                Optional.of(
                    "the agent of pod db-0 (127.0.0.1:%d) failed to answer GetGroupOrder: UNAVAILABLE: election; fallback for upgrade: in name order"
                        .formatted(first.port()))));
    assertThat(first.calls.size() + second.calls.size()).isEqualTo(2 + 3);
  }

  @Test
  void shouldFailWhereThePluginAllowsNoFallback() {
    first.failure = Status.UNIMPLEMENTED;
    second.failure = Status.UNIMPLEMENTED;
    assertThatThrownBy(() -> groupOrder(ChangeType.STOP))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("AgentsUnavailable"));
    assertThat(first.calls).hasSize(1);
  }

  @Test
  void shouldRefuseAnAnswerThatIsTooLarge() {
    first.order = names -> IntStream.range(0, 3000).mapToObj(i -> "x".repeat(100) + i).toList();
    second.order = first.order;
    assertThat(groupOrder(ChangeType.VERSION_UPGRADE).degraded().orElseThrow())
        .contains("its answer has more than 262144 bytes");
  }

  @Test
  void shouldRefuseAnOrderThatIsNotAPermutation() {
    first.order = names -> List.of("s-2", "elsewhere");
    assertThatThrownBy(() -> groupOrder(ChangeType.VERSION_UPGRADE))
        .isInstanceOf(ApplicationFailure.class)
        .hasMessageContaining("pod db-0")
        .hasMessageContaining("unknown: elsewhere; missing: s-10");
  }

  @Test
  void shouldNotRetryAQueryThatAnAgentRefuses() {
    first.failure = Status.FAILED_PRECONDITION.withDescription("split brain");
    assertThatThrownBy(() -> groupOrder(ChangeType.VERSION_UPGRADE))
        .hasMessageContaining("failed to answer GetGroupOrder: FAILED_PRECONDITION: split brain");
    assertThat(second.calls).isEmpty();
  }

  @Test
  void shouldAskNoAgentForTheOrderOfJobs() {
    types = List.of(Serialization.unmarshal(ACTIONS, ComponentType.class));
    assertThat(ordering().groupOrder(ofAction("check")))
        .isEqualTo(new ExecutionOrder(List.of("s-2", "s-10"), false));
    assertThat(first.calls).isEmpty();
    assertThat(second.calls).isEmpty();
    // but for that of an action which agents run
    first.order = List::reversed;
    second.order = List::reversed;
    assertThat(ordering().groupOrder(ofAction("save")).names()).containsExactly("s-10", "s-2");
  }

  private static GroupOrderRequest ofAction(String action) {
    var operation = new OperationRef("run-1", "uid-1", OperationAction.PLUGIN, action);
    var task = new TaskRef(change().of(Optional.of(operation)), "7-x-db", ChangeType.ACTION, "db");
    return new GroupOrderRequest(task, List.of("s-10", "s-2"));
  }

  @Test
  void shouldNeedNoAgentWhenTheComponentIsNew() {
    view.pods.clear();
    assertThat(groupOrder(ChangeType.PROVISION))
        .isEqualTo(new ExecutionOrder(List.of("s-2", "s-10"), true));
  }

  @Test
  void shouldNeedNoOrderForAStoppedComponent() {
    view.pods.clear();
    assertThat(groupOrder(ChangeType.CONFIG).degraded()).isNotEmpty();
    view.sets.set(0, set(0, 4));
    assertThat(groupOrder(ChangeType.CONFIG))
        .isEqualTo(new ExecutionOrder(List.of("s-2", "s-10"), true));
    assertThat(groupOrder(ChangeType.STOP).concurrent()).isTrue();
  }

  @Test
  void shouldAskOnlyPodsThatAGroupControls() {
    view.sets.clear();
    view.sets.add(set(2, 4).edit().editMetadata().withOwnerReferences().endMetadata().build());
    assertThat(groupOrder(ChangeType.VERSION_UPGRADE).degraded().orElseThrow())
        .startsWith("there is no ready pod to ask");
    assertThat(first.calls).isEmpty();
  }

  @Test
  void shouldOrderTheOutdatedPodsWithTheirRoles() {
    // Given
    first.role = "primary";
    first.concurrent = true;
    view.pods.add(readyAt("db-2", "new", "127.0.0.3"));
    view.pods.add(unready("db-3", "old"));
    view.sets.set(0, set(4, 4));
    // When
    var order = podOrder(4);
    // Then
    assertThat(order.pods())
        .containsExactly(
            new OutdatedPod("db-3", "uid-of-db-3", Optional.empty()),
            new OutdatedPod("db-1", "uid-of-db-1", Optional.of("replica")),
            new OutdatedPod("db-0", "uid-of-db-0", Optional.of("primary")));
    assertThat(order.agents()).isEqualTo(new AgentEndpoint(first.port(), ""));
    assertThat(first.calls).containsOnly("role", "SCENARIO_UPGRADE {cache-db-g=[db-0, db-1]}");
  }

  @Test
  void shouldAskNoAgentWhenAllPodsAreUpToDate() {
    view.pods.clear();
    view.pods.add(readyAt("db-0", "new", "127.0.0.1"));
    assertThat(podOrder(4)).isEqualTo(PodOrder.NOTHING);
    assertThat(first.calls).isEmpty();
  }

  @Test
  void shouldOrderOnceANewStatefulSetHasAdoptedThePods() {
    // Given
    var owned = view.pods.getFirst();
    view.pods.set(
        0,
        new PodState(
            owned.pod().edit().editMetadata().withOwnerReferences().endMetadata().build()));
    Thread.startVirtualThread(
        () -> {
          LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
          view.pods.set(0, owned);
          view.wakeUp(SampleObjects.KEY);
        });
    // When
    var order = podOrder(ChangeType.STORAGE, 4);
    // Then
    assertThat(order.pods()).extracting(OutdatedPod::name).containsExactly("db-0", "db-1");
  }

  @Test
  void shouldSkipPodsThatTheTaskHasNotMadeOutOfDate() {
    // Given
    var applied = new AppliedStatefulSet("db", 4, "set-uid", false, true);
    // When
    var order = podOrder(ChangeType.STORAGE, applied);
    // Then
    assertThat(order).isEqualTo(PodOrder.NOTHING);
  }

  @Test
  void shouldSkipThePodsThatARollbackKeeps() {
    // Given
    var applied = new AppliedStatefulSet("db", 4, "set-uid", false, false, List.of("db-0"));
    // When
    var order = podOrder(ChangeType.CONFIG, applied);
    // Then
    assertThat(order.pods()).extracting(OutdatedPod::name).containsExactly("db-1");
  }

  @Test
  void shouldNotWaitForAPodThatLargerVolumesDoNotRepair() {
    // Given
    view.pods.set(0, unready("db-0", "old"));
    // When Then
    assertThat(podOrder(ChangeType.STORAGE, 4)).isEqualTo(PodOrder.NOTHING);
    assertThat(podOrder(ChangeType.CONFIG, 4).pods())
        .extracting(OutdatedPod::name)
        .containsExactly("db-0", "db-1");
  }

  @Test
  void shouldNeedNoAgentToGrowVolumes() {
    first.order = names -> List.of("s-2", "elsewhere");
    assertThat(groupOrder(ChangeType.STORAGE).names()).containsExactly("s-2", "s-10");
  }
}
