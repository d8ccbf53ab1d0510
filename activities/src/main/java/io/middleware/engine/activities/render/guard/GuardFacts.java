package io.middleware.engine.activities.render.guard;

import static java.util.Objects.requireNonNull;

import java.util.Set;

/**
 * The group whose objects are inspected.
 *
 * @param serviceAccountName the App's; empty if it has none
 * @param extraKinds kinds that the plugin allows in addition to the guard's list
 * @param configuration hashes that the pods carry as annotations
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
