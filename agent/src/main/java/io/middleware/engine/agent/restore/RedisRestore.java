package io.middleware.engine.agent.restore;

import io.middleware.engine.agent.order.NumberedName;
import io.middleware.engine.agent.redis.OtherPods;
import io.middleware.engine.agent.store.StoreSource;
import java.nio.file.Path;

/**
 * Fills the folder of a Redis that has not started yet from a backup. The first rule that applies
 * decides:
 *
 * <ol>
 *   <li>Without a request, there is nothing to do.
 *   <li>Only the first pod of a group is filled; the others copy its data.
 *   <li>A folder that was filled from this backup before stays as it is.
 *   <li>When another pod of the group has data, this pod copies them: they are newer.
 *   <li>A folder with other data is refused.
 *   <li>The folder is filled.
 * </ol>
 *
 * @param others in the group of the pod to fill; those that nobody reaches have no data; one that
 *     may be there and does not say makes it fail
 * @param request the file that names the backup, see {@link RestoreRequest#read}
 * @param folder of Redis
 * @param config of Redis, which names its files
 */
public record RedisRestore(
    OtherPods others, StoreSource store, Path request, Path folder, Path config) {

  /** Returns what happened, for people. Failures are those of a store. */
  public String run() {
    return RestoreRequest.read(request)
        .map(this::restore)
        .orElseGet(() -> "nothing to restore: %s names no backup".formatted(request));
  }

  private String restore(RestoreRequest backup) {
    if (NumberedName.of(others.pod()).number() != 0) {
      return "nothing to restore in %s: it copies its data from the first pod"
          .formatted(others.pod());
    }
    var target = new RestoredFolder(backup, store, folder, RedisConfigFile.read(config));
    if (target.isFilled()) {
      return "nothing to restore: %s was filled from %s before".formatted(folder, backup.key());
    } else if (others.haveData()) {
      return "nothing to restore: the group has data already; this pod copies them";
    }
    return target.fill();
  }
}
