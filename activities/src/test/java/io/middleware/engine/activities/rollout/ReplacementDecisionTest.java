package io.middleware.engine.activities.rollout;

import static io.middleware.engine.cluster.SampleObjects.ready;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.SampleObjects.unready;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.activities.rollout.ReplacementDecision.ObservedSet;
import io.middleware.engine.activities.rollout.ReplacementDecision.ReplaceNow;
import io.middleware.engine.activities.rollout.ReplacementDecision.WaitFor;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Decisions about the pod db-1, which was a replica when the pods were put in order. */
class ReplacementDecisionTest {
  private static final PodState POD = ready("db-1", "old");
  private static final PodState BEFORE = ready("db-2", "new");
  private static final PodState AFTER = ready("db-0", "old");

  private String role = "replica";
  private String roleBefore = "replica";
  private List<String> kept = List.of();
  private boolean lastOrder;
  private int batchSize = 1;
  private Integer minReadySeconds;
  private Integer available;

  @Test
  void shouldReplaceWhenAllOthersAreReady() {
    assertThat(decide(POD, BEFORE, AFTER)).isEqualTo(new ReplaceNow());
  }

  /** The successor of db-2 has been ready for less than minReadySeconds. */
  @Test
  void shouldWaitForPodsThatAreNotAvailableYet() {
    // Given
    minReadySeconds = 8;
    available = 2;
    // When Then
    assertThat(decide(POD, BEFORE, AFTER))
        .isEqualTo(
            new WaitFor(
                "StatefulSet db: 1 ready pods are not available yet: minReadySeconds is 8"));
    available = 3;
    assertThat(decide(POD, BEFORE, AFTER)).isEqualTo(new ReplaceNow());
  }

  @Test
  void shouldBeStaleWhenThePodHasBecomeThePrimary() {
    role = "primary";
    assertThat(decide(POD, BEFORE, AFTER))
        .isEqualTo(
            ReplacementDecision.stale(
                "the role of pod db-1 is primary; it was replica when the pods were put in order"));
  }

  @Test
  void shouldBeStaleWhenAnUnknownRoleBecomesKnown() {
    roleBefore = "";
    assertThat(decide(POD, BEFORE, AFTER))
        .isEqualTo(
            ReplacementDecision.stale(
                "the role of pod db-1 is replica; it was unknown when the pods were put in order"));
  }

  @Test
  void shouldKeepTheOrderWhenTheAgentDoesNotAnswer() {
    role = "";
    assertThat(decide(POD, BEFORE, AFTER)).isEqualTo(new ReplaceNow());
  }

  @Test
  void shouldReplaceInAnyRoleWhenNoOtherPodIsOutOfDate() {
    role = "primary";
    assertThat(decide(POD, BEFORE, ready("db-0", "new"))).isEqualTo(new ReplaceNow());
  }

  @Test
  void shouldWaitForAPodThatStarts() {
    role = "primary";
    assertThat(decide(POD, unready("db-2", "new"), AFTER))
        .isEqualTo(new WaitFor("pod db-2: not ready: NotReady"));
  }

  @Test
  void shouldWaitForAPodThatDoesNotExistYet() {
    var why = new WaitFor("StatefulSet db: pods are missing: db-2");
    assertThat(decide(POD, AFTER)).isEqualTo(why);
    assertThat(decide(POD, AFTER, ready("db-3", "new"))).as("not one of the set's").isEqualTo(why);
  }

  @Test
  void shouldWaitForAPodThatIsBeingDeleted() {
    assertThat(decide(POD, BEFORE, terminating("db-0")))
        .isEqualTo(new WaitFor("pod db-0: not ready: is being deleted"));
  }

  @Test
  void shouldBeStaleWhenABrokenPodMustGoFirst() {
    assertThat(decide(POD, BEFORE, unready("db-0", "old")))
        .isEqualTo(
            ReplacementDecision.stale(
                "pod db-0 must be replaced first, because it is not ready: NotReady"));
  }

  @Test
  void shouldReplaceBesideABrokenPodInABatchOfTwo() {
    batchSize = 2;
    assertThat(decide(POD, BEFORE, unready("db-0", "old"))).isEqualTo(new ReplaceNow());
  }

  @Test
  void shouldReplaceABrokenPodAtOnce() {
    assertThat(decide(unready("db-1", "old"), unready("db-2", "new"), unready("db-0", "old")))
        .isEqualTo(new ReplaceNow());
  }

  @Test
  void shouldNeverBeStaleWithTheLastOrder() {
    lastOrder = true;
    role = "primary";
    assertThat(decide(POD, BEFORE, AFTER)).isEqualTo(new ReplaceNow());
    assertThat(decide(POD, BEFORE, unready("db-0", "old")))
        .isEqualTo(new WaitFor("pod db-0: not ready: NotReady"));
  }

  @Test
  void shouldWaitForABrokenPodThatARollbackKeeps() {
    kept = List.of("db-0");
    assertThat(decide(POD, BEFORE, unready("db-0", "old")))
        .isEqualTo(new WaitFor("pod db-0: not ready: NotReady"));
  }

  private ReplacementDecision decide(PodState... pods) {
    var change = new ChangeRef("shop", "cache", "uid", 7, "run");
    var request =
        new ReplaceRequest(
            new GroupRef(new TaskRef(change, "7-x-db", ChangeType.VERSION_UPGRADE, "db"), "g"),
            new AppliedStatefulSet("db", 4, "set-uid", false, false, kept),
            new OutdatedPod(
                "db-1", "uid-of-db-1", Optional.of(roleBefore).filter(it -> !it.isEmpty())),
            batchSize,
            new AgentEndpoint(9090, ""),
            lastOrder,
            false);
    var set = set(3, 4);
    set.getSpec().setMinReadySeconds(minReadySeconds);
    set.getStatus().setAvailableReplicas(available);
    return ReplacementDecision.of(request, pods[0], role, new ObservedSet(set, List.of(pods)));
  }

  private static PodState terminating(String name) {
    return new PodState(
        ready(name, "old")
            .pod()
            .edit()
            .editMetadata()
            .withDeletionTimestamp("2026-01-01T00:00:00Z")
            .endMetadata()
            .build());
  }
}
