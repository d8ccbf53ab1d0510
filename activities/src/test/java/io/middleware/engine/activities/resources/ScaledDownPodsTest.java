package io.middleware.engine.activities.resources;

import static io.middleware.engine.cluster.SampleObjects.ready;
import static io.middleware.engine.cluster.SampleObjects.set;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import io.middleware.engine.workflows.port.ChangeRef;
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
    assertThat(removed(Map.of("replicas", 9L))).containsExactly("db-10", "db-9");
  }

  @Test
  void shouldBeNoneWhereNoneGoesForGood() {
    assertThat(removed(Map.of("replicas", 11))).isEmpty();
    assertThat(removed(Map.of("replicas", 12))).isEmpty();
    assertThat(removed(Map.of("replicas", 0))).isEmpty();
    assertThat(removed(Map.of())).isEmpty();
  }

  @Test
  void shouldBeStoppedAllWhereNoneIsToStay() {
    assertThat(stopped(Map.of("replicas", 0))).hasSize(11).startsWith("db-10", "db-9");
    assertThat(stopped(Map.of("replicas", 1))).isEmpty();
    assertThat(stopped(Map.of())).isEmpty();
    // and once that is written
    view.sets.set(0, set(0, 5));
    assertThat(stopped(Map.of("replicas", 0))).isEmpty();
  }

  @Test
  void shouldBeStoppedWhereTheirStatefulSetIsNotRenderedAnyMore() {
    assertThat(names(pods().stopped(group(), new RenderedObjects(List.of()), false))).hasSize(11);
  }

  @Test
  void shouldBeNoneThatIsOnItsWayAlready() {
    view.sets.set(0, set(9, 4));
    assertThat(removed(Map.of("replicas", 9))).isEmpty();
  }

  @Test
  void shouldKnowThePodsThatADeploymentMayReplace() {
    // Given
    var pod =
        new PodBuilder(ready("web-1", "new").pod())
            .editMetadata()
            .editFirstOwnerReference()
            .withKind("ReplicaSet")
            .endOwnerReference()
            .endMetadata()
            .build();
    view.pods.add(new PodState(pod));
    // When Then
    assertThat(names(pods().ofDeployments(group()))).containsExactly("web-1");
  }

  private List<String> removed(Map<String, Object> spec) {
    return names(pods().removed(group(), rendered(spec)));
  }

  private List<String> stopped(Map<String, Object> spec) {
    return names(pods().stopped(group(), rendered(spec), false));
  }

  private static List<String> names(List<PodState> pods) {
    return pods.stream().map(PodState::name).toList();
  }

  private ScaledDownPods pods() {
    return new ScaledDownPods(view, null);
  }

  private static GroupRef group() {
    var change = new ChangeRef("shop", "cache", "uid", 7, "run");
    return new GroupRef(new TaskRef(change, "7-resources-db", ChangeType.RESOURCES, "db"), "g");
  }

  private static RenderedObjects rendered(Map<String, Object> spec) {
    var kind = new ObjectKind("apps/v1", "StatefulSet");
    return new RenderedObjects(
        List.of(new RenderedObject(kind, "db", Map.of("kind", "X", "spec", spec))));
  }
}
