package io.middleware.engine.activities.volumes;

import io.middleware.engine.activities.kubernetes.VolumeState;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The claims that there are and that the view, which may be behind, has not shown yet. */
final class UnseenVolumeClaims {
  private final Supplier<Set<String>> live;
  private final Set<String> names;

  /**
   * @param live looks up which ones there are, past the view
   */
  UnseenVolumeClaims(Supplier<Set<String>> live) {
    this.live = live;
    this.names = new TreeSet<>(live.get());
  }

  /** Those that are still missing in it; one that is deleted may never have been seen. */
  Set<String> after(List<VolumeState> view) {
    names.removeAll(view.stream().map(VolumeState::name).toList());
    if (!names.isEmpty()) {
      names.retainAll(live.get());
    }
    return names;
  }
}
