package io.middleware.engine.render.guard;

import static java.util.Objects.requireNonNull;

/**
 * The group whose objects are inspected.
 *
 * @param serviceAccountName the App's; empty if it has none
 * @param configuration hashes that the pods carry as annotations
 * @param restartedBy uid of the Operation that restarted the group last, which its pods carry as an
 *     annotation; null if there was none
 * @param placement what the App asks for its pods
 */
public record GuardFacts(
    String namespace,
    OwnerLabels labels,
    String serviceAccountName,
    PluginGrants grants,
    ConfigurationHashes configuration,
    String restartedBy,
    PodPlacement placement) {

  public GuardFacts(
      String namespace, OwnerLabels labels, String serviceAccountName, PluginGrants grants) {
    this(
        namespace,
        labels,
        serviceAccountName,
        grants,
        ConfigurationHashes.NONE,
        null,
        PodPlacement.NONE);
  }

  public GuardFacts {
    requireNonNull(namespace, "namespace");
    requireNonNull(labels, "labels");
    requireNonNull(configuration, "configuration");
    serviceAccountName = serviceAccountName == null ? "" : serviceAccountName;
    requireNonNull(grants, "grants");
    requireNonNull(placement, "placement");
    restartedBy = restartedBy == null ? "" : restartedBy;
  }
}
