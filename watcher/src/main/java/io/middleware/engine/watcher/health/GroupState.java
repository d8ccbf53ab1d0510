package io.middleware.engine.watcher.health;

import io.middleware.engine.api.GroupHealth;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupTemplate;
import java.util.List;

/** A group that is wanted, and its pods. */
record GroupState(
    String component, String name, int wanted, boolean stopped, List<PodHealth> pods) {
  private static final String STOPPED = "Stopped";

  GroupState {
    pods = List.copyOf(pods);
  }

  /** A group that an App asks for and that is not there. */
  static GroupState missing(String component, GroupTemplate template, String state) {
    return new GroupState(
        component,
        template.name(),
        wanted(template.replicas(), state),
        isStopped(state),
        List.of());
  }

  static int wanted(GroupSpec spec) {
    return spec == null ? 0 : wanted(spec.replicas(), spec.state());
  }

  static boolean isStopped(String state) {
    return STOPPED.equals(state);
  }

  private static int wanted(Integer replicas, String state) {
    if (isStopped(state)) {
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
