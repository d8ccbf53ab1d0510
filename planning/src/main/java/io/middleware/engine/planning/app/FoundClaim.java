package io.middleware.engine.planning.app;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Optional;

/**
 * A PersistentVolumeClaim that exists, and whose name a new pod will ask for.
 *
 * @param made when it was created
 * @param use what has used it last; empty when it does not say
 * @param hasVolume false while it has none, and so no data
 */
public record FoundClaim(String name, String made, Optional<VolumeUse> use, boolean hasVolume) {

  public static FoundClaim of(PersistentVolumeClaim claim) {
    var metadata = claim.getMetadata();
    return new FoundClaim(
        metadata.getName(),
        metadata.getCreationTimestamp(),
        VolumeUse.of(claim),
        ExistingVolumeClaim.hasVolume(claim));
  }

  /** For people. */
  @Override
  public String toString() {
    return use.map(
            last ->
                "%s (%s, last used by %s %s of Plugin %s %s)"
                    .formatted(
                        name,
                        last.unusedSince() == null
                            ? "made " + made
                            : "unused since " + last.unusedSince(),
                        last.runtime().name(),
                        last.runtime().version(),
                        last.plugin().name(),
                        last.plugin().version()))
        .orElseGet(() -> "%s (made %s, by what is not known)".formatted(name, made));
  }
}
