package io.middleware.engine.cluster;

import static io.middleware.engine.cluster.SampleObjects.ready;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.SampleObjects.unready;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RolloutTest {

  @Test
  void shouldMissNothingWhenAllPodsAreReadyAndUpToDate() {
    var pods = List.of(ready("db-0", "new"), ready("db-1", "new"));
    assertThat(Rollout.missing(set(2, 3), pods, 3)).isEmpty();
  }

  @Test
  void shouldNotTrustAStatusOfAnOlderGeneration() {
    assertThat(Rollout.missing(set(1, 3), List.of(ready("db-0", "new")), 4))
        .contains("StatefulSet db: its controller has not observed generation 4 yet");
  }

  @Test
  void shouldNameTheFirstPodsThatAreNotDone() {
    var pods =
        List.of(
            unready("db-10", "new"),
            unready("db-2", "new"),
            ready("db-0", "old"),
            unready("db-3", "new"),
            ready("db-1", "new"));
    assertThat(Rollout.missing(set(5, 1), pods, 1))
        .contains(
            "pod db-0: is out of date: has revision old instead of new; pod db-2: not ready: NotReady;"
                + " pod db-3: not ready: NotReady; and 1 more");
  }

  @Test
  void shouldNotMissTheNewRevisionOfAPodThatIsKept() {
    var pods = List.of(ready("db-0", "old"), ready("db-1", "new"));
    assertThat(missing(set(2, 3), pods, List.of("db-0"), List.of())).isEmpty();
    assertThat(missing(set(2, 3), pods, List.of("db-1"), List.of())).isPresent();
  }

  /** Whatever has become of it: the others are all that the group is to have. */
  @Test
  void shouldNotWaitForAPodThatLeaves() {
    var others = List.of(ready("db-0", "new"), ready("db-1", "new"));
    assertThat(missing(set(3, 3), others, List.of(), List.of("db-2"))).isEmpty();
    var broken = List.of(others.get(0), others.get(1), unready("db-2", "old"));
    assertThat(missing(set(3, 3), broken, List.of(), List.of("db-2"))).isEmpty();
    assertThat(missing(set(3, 3), broken, List.of(), List.of("db-1")))
        .contains("pod db-2: not ready: NotReady");
  }

  private static Optional<String> missing(
      StatefulSet set, List<PodState> pods, List<String> kept, List<String> leaving) {
    return Rollout.missing(
        set, pods, new AppliedStatefulSet("db", 3, "uid").keeping(kept, leaving));
  }

  @Test
  void shouldWaitUntilANewSetHasAdoptedThePodsReadyOrNot() {
    assertThat(Rollout.notAdopted(set(1, 1), List.of(unready("db-0", "new")), 1))
        .contains("pod db-0: StatefulSet db has not adopted it yet");
    assertThat(Rollout.notAdopted(set(1, 1), List.of(), 1)).isEmpty();
    assertThat(Rollout.notAdopted(set(1, 1), List.of(), 2)).isPresent();
  }

  @Test
  void shouldNameThePodsThatAreMissing() {
    assertThat(Rollout.missing(set(2, 1), List.of(ready("db-0", "new")), 1))
        .contains("StatefulSet db: has 1 of 2 pods; missing: db-1");
    assertThat(Rollout.missing(set(2, 1), List.of(ready("db-0", "new"), ready("db-2", "new")), 1))
        .contains("StatefulSet db: has 1 of 2 pods; missing: db-1; not deleted yet: db-2");
    assertThat(Rollout.missing(from(2, set(1, 1)), List.of(ready("db-0", "new")), 1))
        .contains("StatefulSet db: has 0 of 1 pods; missing: db-2; not deleted yet: db-0");
    assertThat(Rollout.missing(from(2, set(1, 1)), List.of(ready("db-2", "new")), 1)).isEmpty();
  }

  /** Its node does not answer, for example. */
  @Test
  void shouldNotWaitForPodsAboveTheNumberThatShouldBeGoneForLong() {
    // Given
    var view = new FakeView();
    view.pods.addAll(List.of(ready("db-0", "new"), deleted("db-2", "2020-01-01T00:00:00Z")));
    // When Then
    assertThat(missing(view, 1)).isEmpty();
    assertThat(missing(view, 0)).as("a stop waits for each").isPresent();
    assertThat(missing(view, 3)).as("its successor is wanted").isPresent();
    // and not while the controller has others to delete
    view.pods.add(ready("db-1", "new"));
    assertThat(missing(view, 1))
        .hasValueSatisfying(it -> assertThat(it).contains("pod db-2: not ready"));
    // nor while it may still go
    view.pods.clear();
    view.pods.addAll(List.of(ready("db-0", "new"), deleted("db-1", "2999-01-01T00:00:00Z")));
    assertThat(missing(view, 1)).isPresent();
  }

  private static Optional<String> missing(FakeView view, int replicas) {
    return view.missing(SampleObjects.KEY, set(replicas, 1), 1);
  }

  /**
   * @param gone when it should be gone
   */
  private static PodState deleted(String name, String gone) {
    var pod = ready(name, "new").pod();
    pod.getMetadata().setDeletionTimestamp(gone);
    return new PodState(pod);
  }

  @Test
  void shouldSayThatAPodOfThatNameHasLeftTheSet() {
    var left =
        new PodState(
            ready("db-1", "new")
                .pod()
                .edit()
                .editMetadata()
                .withOwnerReferences()
                .endMetadata()
                .build());
    var view = new FakeView();
    view.sets.add(set(2, 1));
    view.pods.addAll(List.of(unready("db-0", "new"), left));
    assertThat(missing(view, 2).orElseThrow())
        .startsWith("pod db-1: exists, and StatefulSet db does not own it:")
        .contains("restore its labels")
        .contains("pod db-0: not ready");
  }

  @Test
  void shouldWaitUntilPodsHaveBeenReadyForLongEnough() {
    // Given
    var set = set(2, 1);
    var pods = List.of(ready("db-0", "new"), ready("db-1", "new"));
    set.getSpec().setMinReadySeconds(8);
    set.getStatus().setAvailableReplicas(1);
    // When Then
    assertThat(Rollout.missing(set, pods, 1))
        .contains("StatefulSet db: 1 ready pods are not available yet: minReadySeconds is 8");
    set.getStatus().setAvailableReplicas(2);
    assertThat(Rollout.missing(set, pods, 1)).isEmpty();
  }

  @Test
  void shouldListPodsOfAnOlderRevisionInNameOrder() {
    var pods = List.of(ready("db-10", "old"), unready("db-9", "old"), ready("db-1", "new"));
    assertThat(Rollout.outdated(set(11, 1), pods))
        .extracting(PodState::name)
        .containsExactly("db-9", "db-10");
  }

  @Test
  void shouldNotReplaceSurplusPods() {
    var pods = List.of(ready("db-0", "old"), ready("db-1", "old"), unready("db-2", "old"));
    assertThat(Rollout.outdated(set(2, 1), pods))
        .extracting(PodState::name)
        .containsExactly("db-0", "db-1");
    assertThat(Rollout.outdated(set(0, 1), pods)).isEmpty();
    assertThat(Rollout.outdated(from(1, set(2, 1)), pods))
        .extracting(PodState::name)
        .containsExactly("db-1", "db-2");
  }

  private static StatefulSet from(int start, StatefulSet set) {
    return set.edit().editSpec().withNewOrdinals(start).endSpec().build();
  }

  @Test
  void shouldMissNothingOnceTheLastPodIsGone() {
    assertThat(Rollout.missing(set(0, 3), List.of(ready("db-0", "new")), 3))
        .contains("StatefulSet db: has 0 of 0 pods; not deleted yet: db-0");
    assertThat(Rollout.missing(set(0, 3), List.of(), 3)).isEmpty();
  }

  @Test
  void shouldReportTheProgressOfADeployment() {
    assertThat(Rollout.missing(deployment(2), 5)).isEmpty();
    assertThat(Rollout.missing(deployment(1), 5))
        .contains("Deployment web: 1 of 2 pods updated, 1 available, 2 in total");
    assertThat(Rollout.missing(deployment(2), 6))
        .contains("Deployment web: its controller has not observed generation 6 yet");
  }

  private static Deployment deployment(int updated) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("web")
        .withGeneration(5L)
        .endMetadata()
        .withNewSpec()
        .withReplicas(2)
        .endSpec()
        .withNewStatus()
        .withObservedGeneration(5L)
        .withReplicas(2)
        .withUpdatedReplicas(updated)
        .withAvailableReplicas(updated)
        .endStatus()
        .build();
  }
}
