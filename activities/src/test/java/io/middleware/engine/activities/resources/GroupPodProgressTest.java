package io.middleware.engine.activities.resources;

import static io.middleware.engine.cluster.SampleObjects.ready;
import static io.middleware.engine.cluster.SampleObjects.set;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.activities.objects.Undo.Workload;
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
