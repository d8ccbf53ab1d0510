package io.middleware.engine.process.pods;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/** What is said of pods elsewhere than in their status. Answers at once, with what is known. */
public interface PodReports {
  /** Nothing is said of any pod. */
  PodReports NONE =
      new PodReports() {
        @Override
        public Optional<String> of(Pod pod) {
          return Optional.empty();
        }

        @Override
        public Optional<String> refusedCreation(HasMetadata controller, String pod) {
          return Optional.empty();
        }
      };

  /** What is said of a pod that is not ready; empty when nothing is known. */
  Optional<String> of(Pod pod);

  /** Why a controller cannot create a pod that is missing; empty when nothing is known. */
  Optional<String> refusedCreation(HasMetadata controller, String pod);
}
