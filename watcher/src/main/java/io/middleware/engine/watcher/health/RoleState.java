package io.middleware.engine.watcher.health;

/**
 * What the roles of one group's pods say together.
 *
 * @param observedSwitchover the last of the engine's switchovers since which the agents were asked;
 *     empty when there was none
 */
public record RoleState(String observedSwitchover) {
  static final RoleState NONE = new RoleState("");
}
