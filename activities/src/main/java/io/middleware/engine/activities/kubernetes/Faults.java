package io.middleware.engine.activities.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.task.FaultKind;
import io.temporal.failure.ApplicationFailure;

/** Turns failures into one of the kinds, by code, where they enter the engine. */
public final class Faults {
  private Faults() {}

  /** The kind of an API server's answer. */
  public static FaultKind kindOf(KubernetesClientException e) {
    return switch (e.getCode()) {
      case -1, 400, 405, 415, 422 -> FaultKind.INVALID;
      // a used up quota is a 403 as well, and has no code of its own
      case 401, 403 -> FaultKind.FORBIDDEN;
      case 404, 409 -> FaultKind.CONFLICT;
      // the server answers an apply with an unknown field of a built-in kind like this
      case 500 -> reason(e) == null ? FaultKind.INVALID : FaultKind.UNAVAILABLE;
      default -> FaultKind.UNAVAILABLE;
    };
  }

  /**
   * The failure to throw from an activity.
   *
   * @param attempted what was tried on which object, for example {@code apply ConfigMap shop/cache}
   */
  public static ApplicationFailure of(String attempted, KubernetesClientException e) {
    return of(kindOf(e), attempted + ": " + words(e));
  }

  /** A failure of this kind; retried by Temporal when the kind may pass. */
  public static ApplicationFailure of(FaultKind kind, String message) {
    return kind.isRetryable()
        ? ApplicationFailure.newFailure(message, kind.label())
        : ApplicationFailure.newNonRetryableFailure(message, kind.label());
  }

  /** What the API server said, without the client's wrapping. */
  public static String words(KubernetesClientException e) {
    Status status = e.getStatus();
    return status != null && status.getMessage() != null ? status.getMessage() : e.getMessage();
  }

  private static String reason(KubernetesClientException e) {
    return e.getStatus() == null ? null : e.getStatus().getReason();
  }
}
