package io.middleware.engine.watcher.health;

import io.middleware.engine.api.GroupHealth;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.task.FirstOf;
import java.util.List;

/** A desired group and its observed pods. */
record GroupState(
    String component,
    String name,
    DesiredPods expected,
    boolean stopped,
    List<PodHealth> pods,
    RoleState roles,
    GroupObjects objects) {
  /** Usually there is one. */
  private static final int MOST_PRIMARIES = 10;

  GroupState {
    pods = List.copyOf(pods);
  }

  /** A group that the App's spec desires and that does not exist. */
  static GroupState missing(String component, GroupTemplate template, boolean stopped) {
    return new GroupState(
        component,
        template.name(),
        DesiredPods.unnamed(desired(template.replicas(), stopped)),
        stopped,
        List.of(),
        RoleState.NONE,
        GroupObjects.UNKNOWN);
  }

  /** How many pods it should have. */
  int desired() {
    return expected.count();
  }

  static int desired(GroupSpec spec) {
    return spec == null ? 0 : desired(spec.replicas(), spec.isStopped());
  }

  private static int desired(Integer replicas, boolean stopped) {
    if (stopped) {
      return 0;
    }
    return replicas == null ? 1 : replicas;
  }

  ReadyCount readyCount() {
    return stopped ? ReadyCount.stopped(pods) : ReadyCount.of(expected, pods);
  }

  /** Names of the first pods whose agents say that they are the primary; null when none does. */
  String primary() {
    var names =
        pods.stream()
            .filter(PodHealth::isPrimary)
            .map(pod -> pod.pod().getMetadata().getName())
            .toList();
    return names.isEmpty() ? null : String.join(", ", FirstOf.within(names, MOST_PRIMARIES));
  }

  GroupHealth health() {
    return new GroupHealth(name, readyCount().ratio());
  }
}
