package io.middleware.engine.watcher.roles;

import io.middleware.engine.api.PluginRef;
import java.util.OptionalInt;

/** Where agents listen. */
@FunctionalInterface
interface Ports {

  /** The port of the agents in this Plugin's pods; nothing when they cannot be asked. */
  OptionalInt of(PluginRef plugin);
}
