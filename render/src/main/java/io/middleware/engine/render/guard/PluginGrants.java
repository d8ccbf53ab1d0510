package io.middleware.engine.render.guard;

import io.middleware.engine.api.plugin.PodSecurity;
import java.util.Objects;
import java.util.Set;

/**
 * What the plugin says about its objects.
 *
 * @param extraKinds kinds that it allows in addition to the guard's list
 * @param podSecurity Baseline if null
 */
public record PluginGrants(Set<ObjectKind> extraKinds, PodSecurity podSecurity) {

  public PluginGrants {
    extraKinds = Set.copyOf(extraKinds);
    podSecurity = Objects.requireNonNullElse(podSecurity, PodSecurity.BASELINE);
  }

  boolean restricted() {
    return podSecurity == PodSecurity.RESTRICTED;
  }
}
