package io.middleware.engine.cluster;

import static io.middleware.engine.cluster.SampleObjects.KEY;
import static io.middleware.engine.cluster.SampleObjects.ready;
import static io.middleware.engine.cluster.SampleObjects.set;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.workflows.port.AppliedStatefulSet;
import org.junit.jupiter.api.Test;

class ClusterViewTest {
  private final FakeView view = new FakeView();

  @Test
  void shouldNotReturnAReplacedStatefulSet() {
    // Given
    view.sets.add(set(3, 7));
    // Then
    assertThat(view.statefulSet(KEY, new AppliedStatefulSet("db", 1, "set-uid"))).isPresent();
    assertThat(view.statefulSet(KEY, new AppliedStatefulSet("db", 1, "another"))).isEmpty();
  }

  @Test
  void shouldFindThePodsThatANewStatefulSetHasNotAdopted() {
    // Given
    var replaced = set(3, 1).edit().editMetadata().withUid("another").endMetadata().build();
    view.pods.add(ready("db-0", "new"));
    view.pods.add(ready("db-backup", "new"));
    view.pods.add(ready("other-0", "new"));
    // Then
    assertThat(view.orphans(KEY, replaced)).extracting(PodState::name).containsExactly("db-0");
    assertThat(view.orphans(KEY, set(3, 1))).isEmpty();
  }
}
