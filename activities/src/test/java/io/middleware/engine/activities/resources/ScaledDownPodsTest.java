package io.middleware.engine.activities.resources;

import static io.middleware.engine.cluster.SampleObjects.ready;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.SampleObjects.unready;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of a StatefulSet with the pods db-0 to db-10. */
class ScaledDownPodsTest {
  private final FakeView view = new FakeView();

  @BeforeEach
  void run() {
    view.sets.add(set(11, 4));
    IntStream.rangeClosed(0, 10).forEach(i -> view.pods.add(ready("db-" + i, "old")));
  }

  @Test
  void shouldBeTheLastOnesFirst() {
    assertThat(before(Map.of("replicas", 9L)))
        .containsExactly(
            new LeavingPod("db-10", "uid-of-db-10"), new LeavingPod("db-9", "uid-of-db-9"));
  }

  @Test
  void shouldBeNoneWhereNoneGoesForGood() {
    assertThat(before(Map.of("replicas", 11))).isEmpty();
    assertThat(before(Map.of("replicas", 12))).isEmpty();
    assertThat(before(Map.of("replicas", 0))).isEmpty();
    assertThat(before(Map.of())).isEmpty();
  }

  @Test
  void shouldBeNoneThatCannotBeSpokenTo() {
    view.pods.set(10, unready("db-10", "old"));
    assertThat(before(Map.of("replicas", 10))).isEmpty();
  }

  @Test
  void shouldBeNoneThatIsOnItsWayAlready() {
    view.sets.set(0, set(9, 4));
    assertThat(before(Map.of("replicas", 9))).isEmpty();
  }

  private List<LeavingPod> before(Map<String, Object> spec) {
    var change = new ChangeRef("shop", "cache", "uid", 7, "run");
    var task = new TaskRef(change, "7-resources-db", ChangeType.RESOURCES, "db");
    var rendered =
        new RenderedObject(
            new ObjectKind("apps/v1", "StatefulSet"), "db", Map.of("kind", "X", "spec", spec));
    return new ScaledDownPods(view, null)
        .before(new GroupRef(task, "g"), new RenderedObjects(List.of(rendered)));
  }
}
