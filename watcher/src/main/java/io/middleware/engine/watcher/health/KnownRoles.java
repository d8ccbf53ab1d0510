package io.middleware.engine.watcher.health;

import java.util.Map;

/**
 * What the agents of one App have said.
 *
 * @param byPod the roles of ready pods by uid, as far as they are known
 * @param byGroup by the uid of the Group
 * @param claims of ready pods by uid
 */
public record KnownRoles(
    Map<String, String> byPod, Map<String, RoleState> byGroup, Map<String, HeardRole> claims) {
  public KnownRoles {
    claims = Map.copyOf(claims);
    byPod = Map.copyOf(byPod);
    byGroup = Map.copyOf(byGroup);
  }

  /** Without claims. */
  KnownRoles(Map<String, String> byPod, Map<String, RoleState> byGroup) {
    this(byPod, byGroup, Map.of());
  }

  RoleState of(String group) {
    return byGroup.getOrDefault(group, RoleState.NONE);
  }
}
