package io.middleware.engine.cluster;

import io.middleware.engine.api.ModuleArchitecture;

/** The only module beside the steps that talks to the cluster and to agents. */
class ArchitectureTest extends ModuleArchitecture {
  ArchitectureTest() {
    super("io.middleware.engine.cluster");
  }
}
