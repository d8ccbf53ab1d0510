package io.middleware.engine.render;

import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;

/** Groups as Plugin redis 1.0.0 makes them. */
public final class SampleGroups {
  private SampleGroups() {}

  /** The group {@code g} of the component {@code db} of the App {@code cache}. */
  public static GroupSpec running(int replicas) {
    return new GroupSpec(
        "cache",
        "db",
        "redis",
        "g",
        new PluginRef("redis", "1.0.0"),
        new RuntimeRef("redis", "7.0"),
        RunState.RUNNING,
        replicas,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
