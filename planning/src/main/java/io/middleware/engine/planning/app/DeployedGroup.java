package io.middleware.engine.planning.app;

import io.middleware.engine.api.AgentsByPlugin;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.plugin.PluginSpec;
import java.util.List;
import java.util.Optional;

/**
 * What was rendered and applied of a group.
 *
 * @param plugin with which it was rendered, whatever has become of that Plugin since; empty when
 *     nobody knows any more
 * @param inventory the objects made for it
 * @param agents how its pods are spoken to
 */
public record DeployedGroup(
    Optional<PluginSpec> plugin, List<InventoryItem> inventory, AgentsByPlugin agents) {
  public DeployedGroup {
    inventory = List.copyOf(inventory);
  }
}
