package io.middleware.engine.watcher.health;

import io.middleware.engine.api.GroupHealth;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupTemplate;
import java.util.List;

/** A group that is wanted, and its pods. */
record GroupState(
    String component, String name, int wanted, boolean stopped, List<PodHealth> pods) {
  GroupState {
    pods = List.copyOf(pods);
  }

  /** A group that an App asks for and that is not there. */
  static GroupState missing(String component, GroupTemplate template, boolean stopped) {
    return new GroupState(
        component, template.name(), wanted(template.replicas(), stopped), stopped, List.of());
  }

  static int wanted(GroupSpec spec) {
    return spec == null ? 0 : wanted(spec.replicas(), spec.isStopped());
  }

  private static int wanted(Integer replicas, boolean stopped) {
    if (stopped) {
      return 0;
    }
    return replicas == null ? 1 : replicas;
  }

  ReadyCount tally() {
    return ReadyCount.of(wanted, pods);
  }

  GroupHealth health() {
    return new GroupHealth(name, tally().ratio());
  }
}
