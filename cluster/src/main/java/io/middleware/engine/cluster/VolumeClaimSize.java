package io.middleware.engine.cluster;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.process.pods.PodNames;
import java.util.Optional;

/**
 * The desired size and class of one PersistentVolumeClaim, or of all those that a StatefulSet
 * creates from one template.
 *
 * @param name of the volume claim; without the number for numbered claims
 * @param numbered whether the size applies to {@code name-0}, {@code name-1} and so on
 * @param storageClass empty for the default of the cluster
 */
public record VolumeClaimSize(
    String name, boolean numbered, Quantity size, Optional<String> storageClass) {
  public VolumeClaimSize {
    requireNonNull(name, "name");
    requireNonNull(size, "size");
  }

  /** Whether the size applies to the volume claim of this name. */
  public boolean isOf(String claim) {
    return numbered ? PodNames.isNumbered(name, claim) : claim.equals(name);
  }

  public boolean exceeds(Quantity other) {
    return exceeds(size, other);
  }

  /** Compares amounts, so {@code 1Gi} does not exceed {@code 1024Mi}. */
  public static boolean exceeds(Quantity one, Quantity other) {
    return one.getNumericalAmount().compareTo(other.getNumericalAmount()) > 0;
  }
}
