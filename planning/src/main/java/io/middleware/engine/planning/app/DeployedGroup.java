package io.middleware.engine.planning.app;

import io.middleware.engine.api.AgentsByPlugin;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.RuntimeRef;
import java.util.List;
import java.util.Optional;

/**
 * What was rendered and applied of a group.
 *
 * @param plugin with which it was rendered, whatever has become of that Plugin since; empty when
 *     nobody knows any more
 * @param inventory the objects made for it
 * @param agents how its pods are spoken to
 * @param runtime with which it was written last; empty when it cannot be read
 * @param started whether a pod may have started with it
 */
public record DeployedGroup(
    Optional<PluginSpec> plugin,
    List<InventoryItem> inventory,
    AgentsByPlugin agents,
    Optional<RuntimeRef> runtime,
    boolean started) {
  public DeployedGroup {
    inventory = List.copyOf(inventory);
  }

  /** The same, no pod of which has started as it was written last. */
  public DeployedGroup notStarted() {
    return new DeployedGroup(plugin, inventory, agents, runtime, false);
  }
}
