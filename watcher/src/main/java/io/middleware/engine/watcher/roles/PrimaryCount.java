package io.middleware.engine.watcher.roles;

import io.middleware.engine.api.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Whether the pods of a group say that exactly one is the primary; guarded by their group. */
final class PrimaryCount {
  /** Whether any of its pods has ever said that it is the primary, or one is promised. */
  private boolean hasPrimary;

  /** Since when its pods say that there is none, or that there are several. */
  private Optional<Long> inconsistentSince = Optional.empty();

  /** There should be one: there was one, or clients are promised one. */
  void expect() {
    hasPrimary = true;
  }

  static boolean isOne(List<PodRole> pods) {
    return pods.stream().filter(PrimaryCount::isPrimary).count() == 1;
  }

  static boolean isPrimary(PodRole pod) {
    return Role.PRIMARY.equals(pod.role);
  }

  /** Counts again; returns whether it has become inconsistent, or is so no more. */
  boolean turns(List<PodRole> pods, long now) {
    var before = inconsistentSince;
    inconsistentSince = isInconsistent(pods) ? before.or(() -> Optional.of(now)) : Optional.empty();
    return before.isPresent() != inconsistentSince.isPresent();
  }

  Optional<Duration> inconsistentFor(long now) {
    return inconsistentSince.map(since -> Duration.ofNanos(now - since));
  }

  /** A pod that does not answer may be anything. */
  private boolean isInconsistent(List<PodRole> pods) {
    var heard = pods.stream().filter(pod -> pod.role != null && pod.misses == 0).toList();
    var primaries = heard.stream().filter(PrimaryCount::isPrimary).count();
    hasPrimary |= primaries > 0;
    return primaries > 1
        || (primaries == 0 && hasPrimary && !pods.isEmpty() && heard.size() == pods.size());
  }
}
