package io.middleware.engine.activities.volumes;

import io.middleware.engine.cluster.VolumeState;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The existing volume claims that the view, which may be behind, has not shown yet. */
final class UnseenVolumeClaims {
  private final Supplier<Set<String>> live;
  private final Set<String> names;

  /**
   * @param live lists the names on the API server
   */
  UnseenVolumeClaims(Supplier<Set<String>> live) {
    this.live = live;
    this.names = new TreeSet<>(live.get());
  }

  /**
   * The names that the view has not shown until now. Lists again before it reports one: a claim
   * that was deleted meanwhile may never appear in the view.
   */
  Set<String> notIn(List<VolumeState> view) {
    names.removeAll(view.stream().map(VolumeState::name).toList());
    if (!names.isEmpty()) {
      names.retainAll(live.get());
    }
    return names;
  }
}
