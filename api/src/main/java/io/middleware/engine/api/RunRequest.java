package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.fabric8.kubernetes.api.model.ObjectMeta;

/**
 * An object that asks for one run of a workflow. It does not extend HasMetadata: Jackson would
 * prefer that interface's deserializer to the one of CustomResource.
 *
 * @param <P> the spec
 * @param <S> the status
 */
public interface RunRequest<P extends RunRequest.Spec, S extends RunRequest.Status> {
  /** What is asked for. */
  interface Spec {
    Boolean cancel();
  }

  /** How far the run is. */
  interface Status {
    String runId();

    String completedAt();
  }

  ObjectMeta getMetadata();

  P getSpec();

  S getStatus();

  /** Whether it is to stop, or never to begin. */
  @JsonIgnore
  default boolean isCancelled() {
    return getMetadata().getDeletionTimestamp() != null
        || (getSpec() != null && Boolean.TRUE.equals(getSpec().cancel()));
  }

  /** Whether a run has begun it. */
  @JsonIgnore
  default boolean hasBegun() {
    return getStatus() != null && getStatus().runId() != null;
  }

  /** Whether it has ended, however. */
  @JsonIgnore
  default boolean hasEnded() {
    return getStatus() != null && getStatus().completedAt() != null;
  }
}
