package io.middleware.engine.activities.rollout;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.ObservedStatefulSet;
import io.middleware.engine.activities.objects.OntoObserved;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.RebuildStatus;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.planning.operation.OperationTargets;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.PodActivities.TaskState;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which pods a restart has reached: those that carry its mark; which a rebuild; and which a
 * reapplication: those that are up to date with what it has written. Other tasks leave no trace on
 * pods, and say nothing of them.
 */
final class OperationPodProgress {
  private final EngineObjects engine;
  private final OperationRef operation;

  OperationPodProgress(EngineObjects engine, OperationRef operation) {
    this.engine = engine;
    this.operation = operation;
  }

  TaskState of(TaskRef task) {
    return switch (task.type()) {
      case RESTART -> ofRestart(task);
      case REAPPLY -> ofReapply(task);
      case REBUILD -> ofRebuild(task);
      default -> new TaskState(List.of(), List.of(), false, List.of());
    };
  }

  /** As the Operation itself says. */
  private TaskState ofRebuild(TaskRef task) {
    var operation = engine.operation(task);
    var named = operation.map(OperationTargets::pods).orElseGet(List::of);
    var status = operation.map(Operation::getStatus);
    Predicate<String> isDone =
        pod -> status.flatMap(it -> it.rebuild(pod)).map(RebuildStatus::newUid).isPresent();
    var done = named.stream().filter(isDone).toList();
    var open = named.stream().filter(isDone.negate()).toList();
    return new TaskState(done, open, !named.isEmpty() && open.isEmpty());
  }

  private TaskState ofRestart(TaskRef task) {
    var groups = groups(task);
    var sets =
        engine.statefulSets(task).stream().filter(it -> groups.contains(it.group())).toList();
    var pods = sets.stream().flatMap(it -> it.pods().stream()).toList();
    Predicate<PodState> isReached = pod -> restartedBy(pod).equals(operation.uid());
    var reached = pods.stream().filter(isReached).toList();
    var open = pods.stream().filter(isReached.negate()).toList();
    var unready = pods.stream().filter(pod -> !pod.isReady()).toList();
    return new TaskState(
        TaskPodProgress.names(reached.stream()),
        TaskPodProgress.names(open.stream()),
        !pods.isEmpty()
            && sets.stream().allMatch(OperationPodProgress::isComplete)
            && open.isEmpty()
            && unready.isEmpty(),
        TaskPodProgress.names(unready.stream()),
        TaskPodProgress.sinceReady(reached.stream()));
  }

  /** Pods of a group that it has not written are out of date, whatever their revision. */
  private TaskState ofReapply(TaskRef task) {
    var groups = groups(task);
    var sets =
        engine.statefulSets(task).stream().filter(it -> groups.contains(it.group())).toList();
    var reached =
        sets.stream()
            .filter(it -> OntoObserved.writtenBy(task).equals(OntoObserved.writtenBy(it.set())))
            .toList();
    var current = reached.stream().flatMap(OperationPodProgress::upToDate).toList();
    var outdated =
        sets.stream()
            .flatMap(it -> it.pods().stream())
            .filter(pod -> !current.contains(pod))
            .toList();
    var unready =
        Stream.concat(current.stream(), outdated.stream()).filter(pod -> !pod.isReady()).toList();
    return new TaskState(
        TaskPodProgress.names(current.stream()),
        TaskPodProgress.names(outdated.stream()),
        reached.size() == groups.size()
            && reached.stream().allMatch(OperationPodProgress::isComplete)
            && outdated.isEmpty()
            && unready.isEmpty(),
        TaskPodProgress.names(unready.stream()),
        TaskPodProgress.sinceReady(current.stream()));
  }

  /**
   * A pod that is being deleted counts: its successor will be up to date. None is before the
   * controller has seen what was written: until then the status tells of an earlier revision.
   */
  private static Stream<PodState> upToDate(ObservedStatefulSet observed) {
    var set = observed.set();
    return Rollout.hasSeen(set, set.getMetadata().getGeneration())
        ? observed.pods().stream()
            .filter(pod -> pod.isTerminating() || pod.revision().equals(Rollout.revision(set)))
        : Stream.empty();
  }

  /**
   * A pod that was evicted, and is not created again yet, is in no list; a surplus one is no
   * substitute.
   */
  private static boolean isComplete(ObservedStatefulSet observed) {
    return Rollout.difference(observed.set(), observed.pods()).isEmpty();
  }

  private List<String> groups(TaskRef task) {
    var operation = engine.operation(task);
    return engine
        .component(task)
        .map(Component::getSpec)
        .flatMap(spec -> operation.map(it -> OperationTargets.groups(it, spec)))
        .orElseGet(List::of);
  }

  private static String restartedBy(PodState pod) {
    var annotations = pod.pod().getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(Labels.RESTARTED_BY, "");
  }
}
