package io.middleware.engine.activities.kubernetes;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Turns failures into one of the kinds, by code, where they enter the engine. */
public final class Faults {
  private Faults() {}

  /** The kind of an API server's answer. */
  public static FaultKind kindOf(KubernetesClientException e) {
    return switch (e.getCode()) {
      // the client's own: no answer at all, or a kind that the server does not know
      case -1 -> isUnanswered(e) ? FaultKind.UNAVAILABLE : FaultKind.INVALID;
      case 400, 405, 415, 422 -> FaultKind.INVALID;
      // a used up quota is a 403 as well, and has no code of its own
      case 401, 403 -> FaultKind.FORBIDDEN;
      case 404, 409 -> FaultKind.CONFLICT;
      default -> FaultKind.UNAVAILABLE;
    };
  }

  /**
   * The kind of an answer to an apply that was only rehearsed: an unknown field of a built-in kind
   * is a 500 without a reason there, elsewhere that is a server in trouble.
   */
  public static FaultKind kindOfRehearsal(KubernetesClientException e) {
    return e.getCode() == 500 && reason(e) == null ? FaultKind.INVALID : kindOf(e);
  }

  /**
   * What a call to the API server answers.
   *
   * @param attempted what is tried on which object, for example {@code apply ConfigMap shop/cache}
   * @throws ApplicationFailure when it is refused or not answered
   */
  public static <T> T attempt(String attempted, Supplier<T> call) {
    try {
      return call.get();
    } catch (KubernetesClientException e) {
      throw of(attempted, e);
    }
  }

  /**
   * The failure to throw from an activity. Fields that another manager owns are named; that does
   * not pass within a step, so the step is not repeated, only the task.
   *
   * @param attempted what was tried on which object, for example {@code apply ConfigMap shop/cache}
   */
  public static ApplicationFailure of(String attempted, KubernetesClientException e) {
    var owned = ownedFields(e);
    if (owned.isEmpty()) {
      return of(kindOf(e), attempted + ": " + words(e));
    }
    return ApplicationFailure.newNonRetryableFailure(
        "%s: %s; annotation %s: \"true\" on the App takes these fields over"
            .formatted(attempted, owned, Labels.FORCE_CONFLICTS),
        FaultKind.CONFLICT.label());
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
    if (status != null && status.getMessage() != null) {
      return status.getMessage();
    }
    return isUnanswered(e) ? "the API server does not answer: " + lastCause(e) : e.getMessage();
  }

  /** The same with what it names as causes, such as the disruption budget that refuses. */
  public static String wordsAndCauses(KubernetesClientException e) {
    return Stream.concat(Stream.of(words(e)), causes(e).map(StatusCause::getMessage))
        .collect(joining(" "));
  }

  private static String ownedFields(KubernetesClientException e) {
    return causes(e)
        .filter(cause -> "FieldManagerConflict".equals(cause.getReason()))
        .map(cause -> cause.getField() + ": " + cause.getMessage())
        .collect(joining("; "));
  }

  private static Stream<StatusCause> causes(KubernetesClientException e) {
    Status status = e.getStatus();
    if (status == null || status.getDetails() == null) {
      return Stream.empty();
    }
    var causes = status.getDetails().getCauses();
    return (causes == null ? List.<StatusCause>of() : causes).stream();
  }

  private static boolean isUnanswered(KubernetesClientException e) {
    return Stream.iterate(e.getCause(), cause -> cause != null, Throwable::getCause)
        .anyMatch(
            cause ->
                cause instanceof IOException
                    || cause instanceof TimeoutException
                    || cause instanceof InterruptedException);
  }

  private static Throwable lastCause(Throwable e) {
    var last = e;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    return last;
  }

  private static String reason(KubernetesClientException e) {
    return e.getStatus() == null ? null : e.getStatus().getReason();
  }

  /**
   * Whether another has written the object in between, so that it must be read again; of conflicts
   * only one with another field manager has causes.
   */
  public static boolean isOutrun(KubernetesClientException e) {
    var details = e.getStatus() == null ? null : e.getStatus().getDetails();
    return e.getCode() == HttpURLConnection.HTTP_CONFLICT
        && (details == null || details.getCauses() == null || details.getCauses().isEmpty());
  }

  /** What a call beside this one came to; throws what it threw. */
  public static <T> T result(Future<T> call) {
    try {
      return call.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting for an answer");
    }
  }
}
