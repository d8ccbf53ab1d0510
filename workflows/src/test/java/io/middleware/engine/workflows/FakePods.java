package io.middleware.engine.workflows;

import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities.TaskState;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Which generation's spec each pod was made from; at first it is 0. */
public final class FakePods {
  /** By group, its pods in the order to replace them. */
  private final Map<String, List<String>> pods;

  private final Map<String, Long> applied = new ConcurrentHashMap<>();
  private final Map<String, Long> made = new ConcurrentHashMap<>();

  /** By group, the last workflow that worked on it, and what was applied before. */
  private final Map<String, String> reached = new ConcurrentHashMap<>();

  private final Map<String, Long> before = new ConcurrentHashMap<>();

  /** The workflows that have completed their task. */
  private final Set<String> settled = ConcurrentHashMap.newKeySet();

  private final List<Restart> restarts = new CopyOnWriteArrayList<>();

  /** What the pods of a component wait for. */
  volatile Optional<String> blocker = Optional.of("pod %s-0: ImagePullBackOff");

  /** The pods that are not ready when stock is taken. */
  final Set<String> unready = ConcurrentHashMap.newKeySet();

  private record Restart(TaskRef task, String pod) {}

  FakePods(Map<String, List<String>> pods) {
    this.pods = pods;
  }

  void apply(GroupRef group) {
    var name = group.group();
    var generation = group.task().change().generation();
    reached.put(name, group.task().workflowId());
    if (group.task().rollback()) {
      applied.put(name, before.getOrDefault(name, 0L));
    } else if (generation(name) != generation) {
      before.put(name, generation(name));
      applied.put(name, generation);
    }
  }

  /** The group's pods that are out of date, in the order to replace them. */
  List<OutdatedPod> order(GroupRef group) {
    return outdated(group.group()).stream()
        .map(pod -> new OutdatedPod(pod, "uid-" + pod, Optional.empty()))
        .toList();
  }

  void settle(TaskRef task) {
    settled.add(task.workflowId());
  }

  void replace(GroupRef group, String pod) {
    restarts.add(new Restart(group.task(), pod));
    made.put(pod, generation(group.group())); // the next pod's step waits for that
  }

  List<String> outdated(String group) {
    return pods.getOrDefault(group, List.of()).stream()
        .filter(pod -> madeFrom(pod) != generation(group))
        .toList();
  }

  public long madeFrom(String pod) {
    return made.getOrDefault(pod, 0L);
  }

  /**
   * @param groups of the task's component
   */
  TaskState state(TaskRef task, List<String> groups) {
    List<String> current = new ArrayList<>();
    List<String> outdated = new ArrayList<>();
    for (var group : groups) {
      var all = pods.getOrDefault(group, List.of());
      var old = task.workflowId().equals(reached.get(group)) ? outdated(group) : all;
      outdated.addAll(old);
      all.stream().filter(pod -> !old.contains(pod)).forEach(current::add);
    }
    return new TaskState(
        current, outdated, settled.contains(task.workflowId()), List.copyOf(unready));
  }

  /** The pods that a run replaced, in its tasks or in their rollbacks. */
  public List<String> restarts(String run, boolean back) {
    return restarts.stream()
        .filter(restart -> restart.task().change().runId().equals(run))
        .filter(restart -> restart.task().rollback() == back)
        .map(Restart::pod)
        .toList();
  }

  private long generation(String group) {
    return applied.getOrDefault(group, 0L);
  }
}
