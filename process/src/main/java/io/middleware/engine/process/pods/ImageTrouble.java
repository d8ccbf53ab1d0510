package io.middleware.engine.process.pods;

import java.util.Optional;
import java.util.Set;

/** What people are told of a container that waits for its image. */
final class ImageTrouble {
  /** Why a kubelet has no image for a container. */
  private static final Set<String> REASONS =
      Set.of(
          "ErrImagePull",
          "ImagePullBackOff",
          "InvalidImageName",
          "ErrImageNeverPull",
          "ImageInspectError",
          "RegistryUnavailable",
          "SignatureValidationFailed");

  private ImageTrouble() {}

  /**
   * The image and the container; empty when it waits for something else.
   *
   * @param reason for which the container waits
   * @param image as its status names it
   */
  static Optional<String> of(String reason, String container, String image) {
    return reason != null && REASONS.contains(reason)
        ? Optional.of("image %s of container %s".formatted(image, container))
        : Optional.empty();
  }
}
