package io.middleware.engine.activities.rollout;

import static io.middleware.engine.cluster.SampleObjects.ready;
import static io.middleware.engine.cluster.SampleObjects.set;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.activities.objects.ObservedStatefulSet;
import io.middleware.engine.activities.objects.Undo.Workload;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Of a group of 3 pods, which are to have revision new. */
class GroupPodProgressTest {

  @Test
  void shouldCountPodsThatTheTaskHasReplaced() {
    var reach = reach("old", false);
    assertThat(reach.isCurrent(set(3, 4), ready("db-0", "new"))).isTrue();
    assertThat(reach.isCurrent(set(3, 4), ready("db-1", "old"))).isFalse();
  }

  @Test
  void shouldNotCountPodsWhoseStatefulSetTheTaskHasNotWritten() {
    assertThat(reach("new", false).isCurrent(set(3, 4), ready("db-0", "new"))).isFalse();
  }

  @Test
  void shouldCountPodsThatTheTaskHasAdded() {
    var reach = reach("new", false);
    assertThat(reach.isCurrent(set(4, 4), ready("db-2", "new"))).isFalse();
    assertThat(reach.isCurrent(set(4, 4), ready("db-3", "new"))).isTrue();
    assertThat(reach.isCurrent(set(3, 4), ready("db-3", "new"))).isFalse();
  }

  @Test
  void shouldCountPodsThatTheTaskHasRemoved() {
    // Given the last pod is gone, and the second one still terminates
    var pods = List.of(ready("db-0", "new"), ready("db-1", "new"));
    // When Then
    assertThat(reach("new", false).gone(new ObservedStatefulSet(set(1, 4), pods)))
        .containsExactly("db-2");
    assertThat(reach("new", false).gone(new ObservedStatefulSet(set(3, 4), pods)))
        .as("it is only made again")
        .isEmpty();
    assertThat(reach("new", true).gone(new ObservedStatefulSet(set(1, 4), pods))).isEmpty();
  }

  @Test
  void shouldCountOnTheWayBackWhatIsAsBefore() {
    var reach = reach("old", true);
    assertThat(reach.isCurrent(set(3, 4), ready("db-0", "old"))).isTrue();
    assertThat(reach.isCurrent(set(3, 4), ready("db-1", "new"))).isFalse();
  }

  @Test
  void shouldGoByTheStatefulSetWhereNothingIsKnown() {
    var reach = new GroupPodProgress(Optional.empty(), false, false);
    assertThat(reach.isCurrent(set(3, 4), ready("db-0", "new"))).isTrue();
    assertThat(reach.isCurrent(set(3, 4), ready("db-1", "old"))).isFalse();
  }

  @Test
  void shouldNotKnowWhichPodsHaveReloaded() {
    var reach = new GroupPodProgress(Optional.of(new Workload("new", 3)), false, true);
    assertThat(reach.isUnknown(set(3, 4), ready("db-0", "new"))).isTrue();
    assertThat(reach.isUnknown(set(3, 4), ready("db-1", "old"))).isFalse();
    assertThat(reach("new", false).isUnknown(set(3, 4), ready("db-0", "new"))).isFalse();
  }

  private static GroupPodProgress reach(String before, boolean rollback) {
    return new GroupPodProgress(Optional.of(new Workload(before, 3)), rollback, false);
  }
}
