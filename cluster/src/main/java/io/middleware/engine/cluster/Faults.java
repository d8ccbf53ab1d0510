package io.middleware.engine.cluster;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Gettable;
import io.fabric8.kubernetes.client.dsl.Listable;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Maps failures to a {@link FaultKind} by their code, at the point where they enter the engine. */
public final class Faults {
  private static final int NO_ANSWER = -1;

  private static final String DOUBTED =
      "; retried for %d s, because a starting API server refuses every account for a moment"
          .formatted(RefusalDoubt.PATIENCE.toSeconds());

  /** Shared by all of a process: whichever step meets a refusal, the API server is the same. */
  private static final RefusalDoubt DOUBT = new RefusalDoubt(System::nanoTime);

  private Faults() {}

  /** The kind of an API server's error. */
  public static FaultKind kindOf(KubernetesClientException e) {
    return switch (e.getCode()) {
      // set by the client: no response at all, or a resource kind that the server does not know
      case NO_ANSWER -> isUnanswered(e) ? FaultKind.UNAVAILABLE : FaultKind.INVALID;
      case 400, 405, 413, 415, 422 -> FaultKind.INVALID;
      // an exceeded quota is a 403, too, and has no code of its own
      case 401, 403 -> FaultKind.FORBIDDEN;
      case 404, 409 -> FaultKind.CONFLICT;
      default -> FaultKind.UNAVAILABLE;
    };
  }

  /**
   * The kind of an error from a server-side dry run. There an unknown field of a built-in kind is a
   * 500 without a reason; elsewhere a 500 means that the server is in trouble.
   */
  public static FaultKind kindOfDryRun(KubernetesClientException e) {
    return e.getCode() == 500 && reason(e) == null ? FaultKind.INVALID : kindOf(e);
  }

  /**
   * Calls the API server.
   *
   * @param attempted the action and its object, for example {@code apply ConfigMap shop/cache}
   * @throws ApplicationFailure when the call is refused or not answered
   */
  public static <T> T attempt(String attempted, Supplier<T> call) {
    try {
      return call.get();
    } catch (KubernetesClientException e) {
      throw of(attempted, e);
    }
  }

  /**
   * The object as it is now; empty when there is none.
   *
   * @param name of the object for people, for example {@code ConfigMap shop/cache}
   * @throws ApplicationFailure when the call is refused or not answered
   */
  public static <T> Optional<T> read(String name, Gettable<T> object) {
    return Optional.ofNullable(attempt("read " + name, object::get));
  }

  /**
   * The objects as they are now.
   *
   * @param names of the objects for people, for example {@code the pods of component redis}
   * @throws ApplicationFailure when the call is refused or not answered
   */
  public static <T extends HasMetadata> List<T> list(
      String names, Listable<? extends KubernetesResourceList<T>> objects) {
    return attempt("list " + names, () -> objects.list().getItems());
  }

  /**
   * Writes onto what was read.
   *
   * @param attempted the action and its object, for example {@code apply ConfigMap shop/cache}
   * @return empty when somebody else has written the object since, so that it must be read again
   * @throws ApplicationFailure when the write is refused for another reason, or not answered
   */
  public static <T> Optional<T> unlessStale(String attempted, Supplier<T> write) {
    try {
      return Optional.of(write.get());
    } catch (KubernetesClientException e) {
      if (isStaleWrite(e)) {
        return Optional.empty();
      }
      throw of(attempted, e);
    }
  }

  /**
   * The failure to throw from an activity. A conflict with another field manager names the fields.
   * It does not resolve within a step, so only the task is retried, not the step.
   *
   * @param attempted the action and its object, for example {@code apply ConfigMap shop/cache}
   */
  public static ApplicationFailure of(String attempted, KubernetesClientException e) {
    var owned = ownedFields(e);
    if (owned.isEmpty()) {
      return isDoubted(e)
          ? of(FaultKind.UNAVAILABLE, attempted + ": " + message(e) + DOUBTED)
          : of(kindOf(e), attempted + ": " + message(e));
    }
    return ApplicationFailure.newNonRetryableFailure(
        "%s: %s; annotation %s: \"true\" on the App takes these fields over, and an Operation Reapply those of a pod template"
            .formatted(attempted, owned, Labels.FORCE_CONFLICTS),
        FaultKind.CONFLICT.label());
  }

  /** A failure of this kind; Temporal retries it if the kind is retryable. */
  public static ApplicationFailure of(FaultKind kind, String message) {
    return kind.isRetryable()
        ? ApplicationFailure.newFailure(message, kind.label())
        : ApplicationFailure.newNonRetryableFailure(message, kind.label());
  }

  /** The API server's message, without the text that the client adds. */
  public static String message(KubernetesClientException e) {
    Status status = e.getStatus();
    if (status != null && status.getMessage() != null) {
      return status.getMessage();
    }
    return isUnanswered(e) ? "the API server does not answer: " + lastCause(e) : e.getMessage();
  }

  /** The message and its causes, such as the disruption budget that refuses an eviction. */
  public static String messageWithCauses(KubernetesClientException e) {
    return Stream.concat(Stream.of(message(e)), causes(e).map(StatusCause::getMessage))
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

  /**
   * Whether the calling account is refused, and the refusal may be temporary: {@link RefusalDoubt}.
   * An exceeded quota or a policy is not such a refusal.
   */
  public static boolean isDoubted(KubernetesClientException e) {
    if (mayHaveRestarted(e)) {
      DOUBT.unanswered();
    }
    return accessRefusal(e).filter(DOUBT::isDoubted).isPresent();
  }

  /** Who may not do what: the part of the message that is the same for all objects of a kind. */
  private static Optional<String> accessRefusal(KubernetesClientException e) {
    if (e.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
      return Optional.of("401");
    }
    var message = message(e);
    var user = message == null ? -1 : message.indexOf("User \"");
    return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
            && user >= 0
            && message.indexOf(" cannot ", user) > 0
        ? Optional.of(message.substring(user))
        : Optional.empty();
  }

  /** No answer of the server has the cause that the client met, whatever library it is of. */
  private static boolean isUnanswered(KubernetesClientException e) {
    return e.getCode() <= 0 && e.getCause() != null;
  }

  /** A call that was interrupted here says nothing about the API server. */
  static boolean mayHaveRestarted(KubernetesClientException e) {
    return isUnanswered(e)
        && Stream.iterate(e.getCause(), Objects::nonNull, Throwable::getCause)
            .noneMatch(InterruptedException.class::isInstance);
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

  /** A conflict with another field manager is different: only that one has causes. */
  private static boolean isStaleWrite(KubernetesClientException e) {
    var details = e.getStatus() == null ? null : e.getStatus().getDetails();
    return e.getCode() == HttpURLConnection.HTTP_CONFLICT
        && (details == null || details.getCauses() == null || details.getCauses().isEmpty());
  }

  /** The result of a call in another thread; throws what that call threw. */
  public static <T> T result(Future<T> call) {
    try {
      return call.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting for a parallel call");
    }
  }
}
