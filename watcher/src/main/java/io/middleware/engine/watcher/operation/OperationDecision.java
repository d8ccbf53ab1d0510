package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.RunningOperation;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.watcher.request.RequestDecision;
import io.middleware.engine.watcher.request.RequestDecision.Check;
import io.middleware.engine.watcher.request.RequestDecision.End;
import io.middleware.engine.watcher.request.RequestDecision.Hold;
import io.middleware.engine.watcher.request.RequestDecision.Start;
import io.middleware.engine.watcher.request.RequestDecision.Wait;
import io.middleware.engine.watcher.request.RequestProgress;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What to do about an Operation now. Nothing is remembered: the Operations themselves are the
 * queue, and that of an App begin in the order in which they were created.
 */
final class OperationDecision {
  private static final String REJECTED = "Rejected";
  private static final String SUPERSEDED = "Superseded";

  private static final Comparator<Operation> ORDER =
      Comparator.<Operation, String>comparing(it -> it.getMetadata().getCreationTimestamp())
          .thenComparing(it -> it.getMetadata().getName());

  /** How soon to look again while the App is busy. */
  private static final Duration SOON = Duration.ofSeconds(1);

  /** How soon to look again for what may be long in coming. */
  private static final Duration REGULARLY = Duration.ofSeconds(10);

  /** So that one App does not take all workers, and asks no pod many things at the same time. */
  private static final int MOST_BESIDE = 8;

  private static final Start START =
      new Start(Optional.of("waits for the end of the App's open run"));

  private OperationDecision() {}

  /** What follows from the Operation alone; empty when it has begun or its time has come. */
  static Optional<RequestDecision> alone(Operation operation, Instant now) {
    if (operation.hasEnded()) {
      return Optional.of(ended(operation, now));
    }
    if (operation.getSpec() == null) {
      return Optional.of(
          operation.hasBegun()
              ? new Wait(Optional.of(REGULARLY)) // its run goes on, and writes the end
              : new End(REJECTED, RequestDecision.UNREADABLE));
    }
    return operation.hasBegun() ? Optional.empty() : notDue(operation, now);
  }

  /** What follows from the other Operations of its App; empty when its turn has come. */
  static Optional<RequestDecision> behind(
      List<Operation> siblings, Operation operation, Instant now) {
    return operation.hasBegun()
        ? Optional.empty()
        : siblings.stream()
            .filter(it -> isBefore(it, operation, now))
            .min(ORDER)
            .map(
                earlier ->
                    waits("waits for the end of Operation " + earlier.getMetadata().getName()));
  }

  /**
   * What follows from the other Operations of its App that exclude nothing, for one that has not
   * begun; empty when few of them come before it. Those that come first are the oldest, so that
   * each has the same answer, whatever it has seen of the others.
   */
  static Optional<RequestDecision> crowded(
      List<Operation> siblings, Predicate<Operation> shared, Operation operation, Instant now) {
    var before =
        siblings.stream()
            .filter(it -> isEarlier(it, operation, now))
            .filter(shared)
            .sorted(ORDER)
            .toList();
    return before.size() < MOST_BESIDE
        ? Optional.empty()
        : Optional.of(
            waits(
                "%d Operations beside changes are before it, of which %d run at the same time; the oldest is %s"
                    .formatted(
                        before.size(), MOST_BESIDE, before.getFirst().getMetadata().getName()),
                before.size() < 2 * MOST_BESIDE ? SOON : REGULARLY));
  }

  /** What follows from the App, for an Operation that has begun or whose turn has come. */
  static RequestDecision on(Optional<App> app, Operation operation) {
    return operation.hasBegun() ? begun(operation, app) : due(operation, app);
  }

  /** The same for one that excludes nothing: it begins on any App that has been deployed. */
  static RequestDecision beside(Optional<App> app, Operation operation) {
    return operation.hasBegun() ? begunBeside(operation, app) : dueBeside(operation, app);
  }

  /** It may not begin yet; it is soon looked at again. */
  static Hold waits(String why) {
    return waits(why, SOON);
  }

  private static Hold waits(String why, Duration next) {
    return new Hold("Pending", why, Optional.of(next));
  }

  private static RequestDecision ended(Operation operation, Instant now) {
    var spec = Optional.ofNullable(operation.getSpec());
    return RequestDecision.ended(
        Instant.parse(operation.getStatus().completedAt()),
        RequestProgress.kept(spec.map(OperationSpec::ttlSecondsAfterFinished)),
        now);
  }

  private static Optional<RequestDecision> notDue(Operation operation, Instant now) {
    if (operation.isCancelled()) {
      return Optional.of(new End("Cancelled", RequestDecision.BEFORE_IT_BEGAN));
    }
    var begins = begins(operation);
    if (begins.isEmpty()) {
      return Optional.of(
          new End(
              REJECTED, "spec.notBefore must be an RFC 3339 time, such as 2026-11-27T03:00:00Z"));
    }
    if (now.isBefore(begins.get())) {
      return Optional.of(waits("begins at " + begins.get(), Duration.between(now, begins.get())));
    }
    return Optional.empty();
  }

  private static RequestDecision due(Operation operation, Optional<App> app) {
    return without(operation, app).orElseGet(() -> startOrWait(app.orElseThrow()));
  }

  private static RequestDecision dueBeside(Operation operation, Optional<App> app) {
    return without(operation, app)
        .orElseGet(
            () -> isDeployed(app.orElseThrow()) ? START : waits("the App is deployed first"));
  }

  private static boolean isDeployed(App app) {
    return Optional.ofNullable(app.getStatus())
        .map(AppStatus::observedGeneration)
        .filter(carriedOut -> carriedOut > 0)
        .isPresent();
  }

  /** What follows when there is no App, or soon none. */
  private static Optional<RequestDecision> without(Operation operation, Optional<App> app) {
    if (app.isEmpty()) {
      return Optional.of(
          waits(
              "there is no App %s in namespace %s: it begins when there is one"
                  .formatted(operation.getSpec().app(), operation.getMetadata().getNamespace()),
              REGULARLY));
    }
    return app.get().isMarkedForDeletion()
        ? Optional.of(new End(REJECTED, "the App is being deleted"))
        : Optional.empty();
  }

  private static RequestDecision startOrWait(App app) {
    return app.whyBusy().<RequestDecision>map(OperationDecision::waits).orElse(START);
  }

  private static RequestDecision begun(Operation operation, Optional<App> app) {
    var same = app.filter(it -> it.getMetadata().getUid().equals(operation.getStatus().appUid()));
    if (same.isEmpty()) {
      return new End(SUPERSEDED, "the App was deleted");
    }
    var holdsLock =
        Optional.ofNullable(same.get().getStatus())
            .map(AppStatus::operation)
            .map(RunningOperation::uid)
            .equals(Optional.of(operation.getMetadata().getUid()));
    if (holdsLock) {
      return new Check(operation.isCancelled(), START);
    }
    if (same.get().isMarkedForDeletion()) {
      return new End(SUPERSEDED, "the App is being deleted");
    }
    return operation.isCancelled() ? lost() : startOrWait(same.get());
  }

  /** Its run ends by itself when the App goes; it only has to be looked for. */
  private static RequestDecision begunBeside(Operation operation, Optional<App> app) {
    if (operation.isCancelled()) {
      return new Check(true, lost());
    }
    var same = app.filter(it -> it.getMetadata().getUid().equals(operation.getStatus().appUid()));
    if (same.isEmpty()) {
      return new End(SUPERSEDED, "the App was deleted");
    }
    return same.get().isMarkedForDeletion()
        ? new End(SUPERSEDED, "the App is being deleted")
        : new Check(false, START);
  }

  private static End lost() {
    return new End("Cancelled", "its workflow run no longer existed when it was cancelled");
  }

  /**
   * Whether this one comes before the other; one that has begun does, whatever its age, unless it
   * excludes nothing.
   */
  private static boolean isBefore(Operation one, Operation other, Instant now) {
    return !one.hasOwnWorkflow() && isEarlier(one, other, now);
  }

  private static boolean isEarlier(Operation one, Operation other, Instant now) {
    return one.getSpec() != null
        && one.getSpec().app().equals(other.getSpec().app())
        && !one.getMetadata().getUid().equals(other.getMetadata().getUid())
        && !one.hasEnded()
        && (one.hasBegun()
            || (ORDER.compare(one, other) < 0
                && !one.isCancelled()
                && begins(one).filter(at -> !now.isBefore(at)).isPresent()));
  }

  /** Empty when that cannot be read. */
  private static Optional<Instant> begins(Operation operation) {
    var text = operation.getSpec().notBefore();
    try {
      return Optional.of(text == null ? Instant.EPOCH : OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
