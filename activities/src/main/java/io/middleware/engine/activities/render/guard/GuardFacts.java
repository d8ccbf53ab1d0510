package io.middleware.engine.activities.render.guard;

import static java.util.Objects.requireNonNull;

import java.util.Set;

/**
 * Whose objects are looked at.
 *
 * @param serviceAccountName the App's; empty if it has none
 * @param extraKinds what the plugin's administrator allows beyond the guard's own list
 * @param configuration what the pods carry a mark of
 */
public record GuardFacts(
    String namespace,
    OwnerLabels labels,
    String serviceAccountName,
    Set<ObjectKind> extraKinds,
    ConfigurationHashes configuration) {

  public GuardFacts(
      String namespace, OwnerLabels labels, String serviceAccountName, Set<ObjectKind> extraKinds) {
    this(namespace, labels, serviceAccountName, extraKinds, ConfigurationHashes.NONE);
  }

  public GuardFacts {
    requireNonNull(namespace, "namespace");
    requireNonNull(labels, "labels");
    requireNonNull(configuration, "configuration");
    serviceAccountName = serviceAccountName == null ? "" : serviceAccountName;
    extraKinds = Set.copyOf(extraKinds);
  }
}
