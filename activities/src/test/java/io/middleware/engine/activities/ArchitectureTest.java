package io.middleware.engine.activities;

import io.middleware.engine.api.ModuleArchitecture;

/** The steps, above all that they share. */
class ArchitectureTest extends ModuleArchitecture {
  ArchitectureTest() {
    super("io.middleware.engine.activities");
  }

  @Override
  protected long longConstructors() {
    return 2; // KubernetesResourceActivities, KubernetesConfigurationActivities
  }
}
