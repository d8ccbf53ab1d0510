package io.middleware.engine.activities.objects;

import static io.middleware.engine.cluster.SampleObjects.ready;
import static io.middleware.engine.cluster.SampleObjects.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.rollout.TaskPodProgress;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Resources;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.Storage;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UndoTest {

  @Test
  void shouldReadWhatItHasWritten() {
    // Given
    var unfinished = UnfinishedChanges.none().with(ChangeType.CONFIG).with(ChangeType.STOP);
    var before =
        Undo.before(
            task("2-config-db"),
            component("x", unfinished.annotations(), "all"),
            List.of(),
            List.of());
    // When
    var kept = Undo.of(task("2-config-db"), component("y", before.annotations()));
    // Then
    assertThat(kept).contains(before);
    assertThat(kept.get().unfinished()).containsExactly("Config", "Stop");
    assertThat(kept.get().requireSpec()).isEqualTo(spec("x", "all"));
  }

  @Test
  void shouldBeOfOneTaskOnly() {
    var before = Undo.before(task("2-config-db"), component("x", Map.of()), List.of(), List.of());
    assertThat(Undo.of(task("3-config-db"), component("y", before.annotations()))).isEmpty();
    assertThat(Undo.of(task("2-config-db"), component("y", null))).isEmpty();
    assertThat(Undo.of(task("2-config-db").back(), component("y", before.annotations())))
        .isEqualTo(Optional.of(before));
  }

  @Test
  void shouldSayThatTheSpecWasTooLargeToBeKept() {
    // Given
    var large = component("ü".repeat(Undo.MOST_BYTES / 2), Map.of());
    // When
    var before = Undo.before(task("2-config-db"), large, List.of(), List.of());
    // Then
    assertThat(before.annotations().get(Labels.UNDO)).hasSizeLessThan(100);
    assertThat(Undo.of(task("2-config-db"), component("y", before.annotations()))).contains(before);
    assertThatThrownBy(before::requireSpec)
        .isInstanceOf(ApplicationFailure.class)
        .hasMessageContaining("over 200 KiB");
  }

  @Test
  void shouldSayWhichAnnotationSomebodyHasBroken() {
    var broken = component("x", Map.of(Labels.UNDO, "{"));
    assertThatThrownBy(() -> Undo.of(task("2-config-db"), broken))
        .isInstanceOf(ApplicationFailure.class)
        .hasMessageContaining("annotation middleware.io/undo of Component cache-db");
  }

  @Test
  void shouldBringBackOnlyTheGroupsThatTheTaskHasChanged() {
    // Given an earlier change that has stopped between the groups a and b
    var component = component("7.2", Map.of(), "a", "b", "c");
    var before = List.of(group("7.2", "a"), group("7.0", "b"), group("7.0", "c"));
    var undo = Undo.before(task("2-config-db"), component, before, List.of());
    // When the task has come to b
    var back = undo.back(List.of(group("7.2", "a"), group("7.3", "b"), group("7.0", "c")));
    // Then
    assertThat(back.changed()).containsExactly("b");
    assertThat(back.groupSpec("b")).contains(group("7.0", "b").getSpec());
    assertThat(back.groupSpec("a")).contains(group("7.2", "a").getSpec());
    assertThat(back.groupSpec("unknown")).isEmpty();
  }

  @Test
  void shouldLeaveAGroupAloneThatTheTaskDidNotChange() {
    // Given the edit is taken back after an earlier change has stopped at the group a
    var component = component("7.2", Map.of(), "a", "b");
    var before = List.of(group("7.2", "a"), group("7.0", "b"));
    var undo = Undo.before(task("2-config-db"), component, before, List.of());
    // When
    var back = undo.back(List.of(group("7.0", "a"), group("7.0", "b")));
    // Then
    assertThat(back.changed()).containsExactly("a");
  }

  @Test
  void shouldKeepHowTheStatefulSetsWere() {
    // Given one that its controller has not seen yet
    var task = task("2-config-db");
    var unseen = set(5, 4).edit().editStatus().withObservedGeneration(3L).endStatus().build();
    // When
    var before =
        Undo.before(task, component("x", Map.of()), List.of(), List.of(observed(set(3, 4))));
    var kept = Undo.of(task, component("y", before.back(List.of()).annotations())).orElseThrow();
    // Then
    assertThat(kept.workload("g")).contains(new Undo.Workload("new", 3));
    assertThat(kept.workload("another")).isEmpty();
    assertThat(
            Undo.before(task, component("x", Map.of()), List.of(), List.of(observed(unseen)))
                .workloads())
        .isEmpty();
  }

  @Test
  void shouldRememberInARepeatWhichGroupsItHasBroughtBack() {
    // Given
    var component = component("x", Map.of(), "a", "b");
    var before = List.of(group("x", "a"), group("x", "b"));
    var first =
        Undo.before(task("2-config-db"), component, before, List.of())
            .back(List.of(group("y", "a"), group("x", "b")));
    // When
    var kept = Undo.of(task("2-config-db").back(), component("x", first.annotations()));
    // Then
    assertThat(kept.get().back(before).changed()).containsExactly("a");
  }

  @Test
  void shouldCountAsBroughtBackWhatSaysWhatItSaid() {
    // Given
    var task = task("2-config-db");
    var undo =
        Undo.before(
            task,
            component("7.2", Map.of(), "a", "b"),
            List.of(group("7.2", "a"), group("7.0", "b")),
            List.of());
    var component = component("7.2", undo.annotations(), "a", "b");
    // Then
    assertThat(TaskPodProgress.isReached(task.back(), component, group("7.0", "b").getSpec()))
        .isTrue();
    assertThat(TaskPodProgress.isReached(task.back(), component, group("7.2", "b").getSpec()))
        .isFalse();
    assertThat(TaskPodProgress.isReached(task, component, group("7.2", "b").getSpec())).isTrue();
    assertThat(TaskPodProgress.isReached(task, component, group("7.0", "b").getSpec())).isFalse();
  }

  @Test
  void shouldCallATaskSettledWhenNothingIsUnfinished() {
    // Given
    var task = task("2-config-db");
    var record = Undo.before(task, component("7.2", Map.of(), "a"), List.of(), List.of());
    // Then
    assertThat(isSettled(task, "7.2", Map.of())).isTrue();
    assertThat(isSettled(task, "7.0", Map.of())).isFalse();
    assertThat(isSettled(task, "7.2", record.annotations())).isFalse();
    // an unfinished change of another task may be completed by this one
    assertThat(isSettled(task, "7.2", Map.of(Labels.UNFINISHED, "Remove"))).isFalse();
  }

  @Test
  void shouldKeepTheRevisionsOfPodsThatAnEarlierChangeHasNotReached() {
    // Given
    var task = task("2-config-db");
    var half = observed(set(3, 4), ready("db-0", "new"), ready("db-1", "old"));
    var before = Undo.before(task, component("x", Map.of()), List.of(), List.of(half));
    // When
    var kept = Undo.of(task, component("y", before.annotations())).orElseThrow();
    // Then
    assertThat(kept.workload("g"))
        .contains(new Undo.Workload("new", 3, Map.of("db-1", "old"), null, null));
  }

  private static ObservedStatefulSet observed(StatefulSet set, PodState... pods) {
    return new ObservedStatefulSet(set, List.of(pods));
  }

  private static boolean isSettled(TaskRef task, String said, Map<String, String> annotations) {
    return TaskPodProgress.isSettled(task, component(said, annotations, "a"), spec("7.2", "a"));
  }

  private static TaskRef task(String id) {
    return new TaskRef(
        new ChangeRef("shop", "cache", "uid", 2, "run"), id, ChangeType.CONFIG, "db");
  }

  private static Group group(String value, String name) {
    var group = new Group();
    group.setSpec(ComponentSpecs.groupSpec(spec(value, name), name));
    return group;
  }

  private static Component component(
      String value, Map<String, String> annotations, String... groups) {
    var component = new Component();
    component.setMetadata(
        new ObjectMetaBuilder().withName("cache-db").withAnnotations(annotations).build());
    component.setSpec(spec(value, groups));
    return component;
  }

  private static GroupTemplate template(String name) {
    return new GroupTemplate(
        name,
        3,
        new Resources(Map.of("cpu", "100m"), null),
        new Storage("1Gi", null),
        Map.of("nodeAffinity", Map.of("weight", 1)),
        null);
  }

  private static ComponentSpec spec(String value, String... groups) {
    return new ComponentSpec(
        "cache",
        "db",
        "redis",
        new PluginRef("redis", "1.0.0"),
        new RuntimeRef("redis", "7.0"),
        RunState.RUNNING,
        Map.of("maxmemory", value, "databases", 16),
        Arrays.stream(groups).map(UndoTest::template).toList(),
        null,
        null);
  }
}
