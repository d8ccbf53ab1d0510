package io.middleware.engine.activities.kubernetes;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.api.model.Quantity;

/**
 * The size that a claim is to have, or each of the claims that a StatefulSet makes of one template.
 *
 * @param name of the claim; of numbered claims without the number
 * @param numbered whether it is about {@code name-0}, {@code name-1} and so on, however many
 */
public record ClaimSize(String name, boolean numbered, Quantity size) {
  public ClaimSize {
    requireNonNull(name, "name");
    requireNonNull(size, "size");
  }

  /** Whether it is about the claim of this name. */
  public boolean isOf(String claim) {
    return numbered ? Rollout.isNumbered(name, claim) : claim.equals(name);
  }

  /** Whether this is more than that. */
  public boolean exceeds(Quantity other) {
    return exceeds(size, other);
  }

  /** Whether the first is more than the second, however they are written. */
  public static boolean exceeds(Quantity one, Quantity other) {
    return one.getNumericalAmount().compareTo(other.getNumericalAmount()) > 0;
  }
}
