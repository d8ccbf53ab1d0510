package io.middleware.engine.watcher.health;

import java.util.Map;

/**
 * What the agents of one App have said.
 *
 * @param byPod the roles of ready pods by uid, as far as they are known
 * @param byGroup by the uid of the Group
 */
public record KnownRoles(Map<String, String> byPod, Map<String, RoleState> byGroup) {
  public KnownRoles {
    byPod = Map.copyOf(byPod);
    byGroup = Map.copyOf(byGroup);
  }

  RoleState of(String group) {
    return byGroup.getOrDefault(group, RoleState.NONE);
  }
}
