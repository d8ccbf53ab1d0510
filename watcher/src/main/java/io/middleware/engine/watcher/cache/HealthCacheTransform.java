package io.middleware.engine.watcher.cache;

import static io.middleware.engine.watcher.cache.ObjectMetaCacheTransform.shared;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.GroupHealth;
import io.middleware.engine.api.Reasons;
import java.util.List;
import java.util.Set;

/** Reduces the parts of a status that several kinds share. */
final class HealthCacheTransform {
  private static final Set<String> KEPT =
      Set.of(
          Reasons.READY,
          Reasons.SUBMITTED,
          Reasons.BACKUP_OVERDUE,
          Reasons.ROLES_INCONSISTENT,
          Reasons.VOLUMES_AT_RISK,
          Reasons.OBJECTS_DRIFTED,
          Reasons.DEPENDENCIES_MISSING,
          Reasons.ENDPOINTS_OUTDATED);

  private HealthCacheTransform() {}

  /** Only the conditions that the watcher writes. */
  static List<Condition> conditions(List<Condition> conditions) {
    return conditions == null
        ? List.of()
        : conditions.stream()
            .filter(condition -> KEPT.contains(condition.getType()))
            .map(HealthCacheTransform::condition)
            .toList();
  }

  static List<GroupHealth> groups(List<GroupHealth> groups) {
    return groups == null
        ? null
        : groups.stream()
            .map(group -> new GroupHealth(shared(group.name()), shared(group.ready())))
            .toList();
  }

  private static Condition condition(Condition condition) {
    condition.setType(shared(condition.getType()));
    condition.setStatus(shared(condition.getStatus()));
    condition.setReason(shared(condition.getReason()));
    condition.setMessage(shared(condition.getMessage()));
    return condition;
  }
}
