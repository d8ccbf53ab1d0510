package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.process.pods.PodNames;
import java.util.List;

/**
 * The pods that a group should have.
 *
 * @param names of the pods of its StatefulSet; empty for pods without names of their own, those of
 *     a Deployment, and while no StatefulSet is observed
 */
record DesiredPods(int count, List<String> names) {
  DesiredPods {
    names = List.copyOf(names);
  }

  /**
   * @param sets of the group; it has one at most
   */
  static DesiredPods of(int count, List<StatefulSet> sets) {
    return new DesiredPods(count, sets.size() == 1 ? names(sets.getFirst(), count) : List.of());
  }

  private static List<String> names(StatefulSet set, int count) {
    var ordinals = set.getSpec().getOrdinals();
    var first = ordinals == null || ordinals.getStart() == null ? 0 : ordinals.getStart();
    return PodNames.of(set.getMetadata().getName(), first, count);
  }

  /** Whether pods of the group are known by name. */
  boolean areNamed() {
    return !names.isEmpty();
  }
}
