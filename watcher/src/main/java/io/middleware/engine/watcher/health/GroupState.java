package io.middleware.engine.watcher.health;

import io.middleware.engine.api.GroupHealth;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupTemplate;
import java.util.List;

/** A desired group and its observed pods. */
record GroupState(
    String component, String name, int desired, boolean stopped, List<PodHealth> pods) {
  GroupState {
    pods = List.copyOf(pods);
  }

  /** A group that the App's spec desires and that does not exist. */
  static GroupState missing(String component, GroupTemplate template, boolean stopped) {
    return new GroupState(
        component, template.name(), desired(template.replicas(), stopped), stopped, List.of());
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
    return ReadyCount.of(desired, pods);
  }

  GroupHealth health() {
    return new GroupHealth(name, readyCount().ratio());
  }
}
