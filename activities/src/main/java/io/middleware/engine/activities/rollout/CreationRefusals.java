package io.middleware.engine.activities.rollout;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Optional;

/** Why the controller of a StatefulSet cannot create a pod. */
@FunctionalInterface
interface CreationRefusals {
  /**
   * For people; empty when the controller says nothing of it.
   *
   * @param pod that is missing
   */
  Optional<String> of(StatefulSet set, String pod);
}
