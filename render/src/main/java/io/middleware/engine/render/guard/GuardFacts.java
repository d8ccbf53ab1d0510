package io.middleware.engine.render.guard;

import static java.util.Objects.requireNonNull;

/**
 * The group whose objects are inspected.
 *
 * @param serviceAccountName the App's; empty if it has none
 * @param configuration hashes that the pods carry as annotations
 * @param restartedBy uid of the Operation that restarted the group last, which its pods carry as an
 *     annotation; null if there was none
 */
public record GuardFacts(
    String namespace,
    OwnerLabels labels,
    String serviceAccountName,
    PluginGrants grants,
    ConfigurationHashes configuration,
    String restartedBy) {

  public GuardFacts(
      String namespace, OwnerLabels labels, String serviceAccountName, PluginGrants grants) {
    this(namespace, labels, serviceAccountName, grants, ConfigurationHashes.NONE, null);
  }

  public GuardFacts {
    requireNonNull(namespace, "namespace");
    requireNonNull(labels, "labels");
    requireNonNull(configuration, "configuration");
    serviceAccountName = serviceAccountName == null ? "" : serviceAccountName;
    requireNonNull(grants, "grants");
    restartedBy = restartedBy == null ? "" : restartedBy;
  }
}
