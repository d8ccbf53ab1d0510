package io.middleware.engine.simulator;

import io.middleware.engine.api.ModuleArchitecture;

/** Settings depend on agents, agents depend on the host, and never the other way round. */
class ArchitectureTest extends ModuleArchitecture {
  ArchitectureTest() {
    super("io.middleware.engine.simulator");
  }
}
