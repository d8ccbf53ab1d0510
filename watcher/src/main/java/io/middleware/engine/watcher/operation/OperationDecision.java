package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationSpec;
import io.middleware.engine.api.RunningOperation;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What to do about an Operation now. Nothing is remembered: the Operations themselves are the
 * queue, and that of an App begin in the order in which they were created.
 */
sealed interface OperationDecision {
  /** The default of the spec. */
  int WEEK_IN_SECONDS = 604_800;

  Comparator<Operation> ORDER =
      Comparator.<Operation, String>comparing(it -> it.getMetadata().getCreationTimestamp())
          .thenComparing(it -> it.getMetadata().getName());

  /** How soon to look again while the App is busy. */
  Duration SOON = Duration.ofSeconds(1);

  /** How soon to look again whether the run is still open. */
  Duration REGULARLY = Duration.ofSeconds(10);

  /** Nothing can be done before this time has passed, or something else happens. */
  record Wait(String why, Duration next) implements OperationDecision {}

  /** A run is to carry it out, if none is open. */
  record Start() implements OperationDecision {}

  /**
   * Its run is to be asked to stop.
   *
   * @param lost how it ends without a run; empty when another run is needed, which releases the App
   */
  record Cancel(Optional<End> lost) implements OperationDecision {}

  /** Its run is to be looked for. */
  record Check() implements OperationDecision {}

  /** It ends without a run. */
  record End(String phase, String why) implements OperationDecision {}

  /** It ended long ago, and is deleted. */
  record Remove() implements OperationDecision {}

  /** What follows from the Operation alone; empty when it has begun or its time has come. */
  static Optional<OperationDecision> alone(Operation operation, Instant now) {
    if (operation.hasEnded()) {
      return Optional.of(ended(operation, now));
    }
    if (operation.getSpec() == null) {
      return Optional.of(
          new End("Rejected", "its spec cannot be read: it may need a newer engine"));
    }
    return operation.hasBegun() ? Optional.empty() : notDue(operation, now);
  }

  /** What follows from the other Operations of its App; empty when its turn has come. */
  static Optional<OperationDecision> behind(
      List<Operation> siblings, Operation operation, Instant now) {
    return operation.hasBegun()
        ? Optional.empty()
        : siblings.stream()
            .filter(it -> isBefore(it, operation, now))
            .min(ORDER)
            .map(
                earlier ->
                    new Wait(
                        "waits for the end of Operation " + earlier.getMetadata().getName(), SOON));
  }

  /** What follows from the App, for an Operation that has begun or whose turn has come. */
  static OperationDecision on(Optional<App> app, Operation operation) {
    return operation.hasBegun() ? begun(operation, app) : due(operation, app);
  }

  /** The same for one that excludes nothing: it begins on any App that has been deployed. */
  static OperationDecision beside(Optional<App> app, Operation operation) {
    return operation.hasBegun() ? begunBeside(operation, app) : dueBeside(operation, app);
  }

  private static OperationDecision ended(Operation operation, Instant now) {
    var kept =
        Duration.ofSeconds(
            Optional.ofNullable(operation.getSpec())
                .map(OperationSpec::ttlSecondsAfterFinished)
                .orElse(WEEK_IN_SECONDS));
    var left = Duration.between(now, Instant.parse(operation.getStatus().completedAt()).plus(kept));
    return left.isPositive() ? new Wait("", left) : new Remove();
  }

  private static Optional<OperationDecision> notDue(Operation operation, Instant now) {
    if (operation.isCancelled()) {
      return Optional.of(new End("Cancelled", "it was cancelled before it began"));
    }
    var begins = begins(operation);
    if (begins.isEmpty()) {
      return Optional.of(new End("Rejected", "spec.notBefore is no time in RFC 3339"));
    }
    if (now.isBefore(begins.get())) {
      return Optional.of(
          new Wait("begins at " + begins.get(), Duration.between(now, begins.get())));
    }
    return Optional.empty();
  }

  private static OperationDecision due(Operation operation, Optional<App> app) {
    return without(operation, app).orElseGet(() -> startOrWait(app.orElseThrow()));
  }

  private static OperationDecision dueBeside(Operation operation, Optional<App> app) {
    return without(operation, app)
        .orElseGet(
            () ->
                isDeployed(app.orElseThrow())
                    ? new Start()
                    : new Wait("the App is deployed first", SOON));
  }

  private static boolean isDeployed(App app) {
    return Optional.ofNullable(app.getStatus())
        .map(AppStatus::observedGeneration)
        .filter(carriedOut -> carriedOut > 0)
        .isPresent();
  }

  /** What follows when there is no App, or soon none. */
  private static Optional<OperationDecision> without(Operation operation, Optional<App> app) {
    if (app.isEmpty()) {
      return Optional.of(
          new Wait(
              "there is no App %s in namespace %s: it begins when there is one"
                  .formatted(operation.getSpec().app(), operation.getMetadata().getNamespace()),
              REGULARLY));
    }
    return app.get().isMarkedForDeletion()
        ? Optional.of(new End("Rejected", "the App is being deleted"))
        : Optional.empty();
  }

  private static OperationDecision startOrWait(App app) {
    return app.whyBusy().<OperationDecision>map(why -> new Wait(why, SOON)).orElseGet(Start::new);
  }

  private static OperationDecision begun(Operation operation, Optional<App> app) {
    var same = app.filter(it -> it.getMetadata().getUid().equals(operation.getStatus().appUid()));
    if (same.isEmpty()) {
      return new End("Superseded", "the App was deleted");
    }
    var holdsLock =
        Optional.ofNullable(same.get().getStatus())
            .map(AppStatus::operation)
            .map(RunningOperation::uid)
            .equals(Optional.of(operation.getMetadata().getUid()));
    if (holdsLock) {
      return operation.isCancelled() ? new Cancel(Optional.empty()) : new Check();
    }
    if (same.get().isMarkedForDeletion()) {
      return new End("Superseded", "the App is being deleted");
    }
    return operation.isCancelled() ? lost() : startOrWait(same.get());
  }

  /** Its run ends by itself when the App goes; it only has to be looked for. */
  private static OperationDecision begunBeside(Operation operation, Optional<App> app) {
    if (operation.isCancelled()) {
      return new Cancel(Optional.of(lost()));
    }
    var same = app.filter(it -> it.getMetadata().getUid().equals(operation.getStatus().appUid()));
    if (same.isEmpty()) {
      return new End("Superseded", "the App was deleted");
    }
    return same.get().isMarkedForDeletion()
        ? new End("Superseded", "the App is being deleted")
        : new Check();
  }

  private static End lost() {
    return new End("Cancelled", "its run was lost, and it was cancelled then");
  }

  /**
   * Whether this one comes before the other; one that has begun does, whatever its age, unless it
   * excludes nothing.
   */
  private static boolean isBefore(Operation one, Operation other, Instant now) {
    return one.getSpec() != null
        && one.getSpec().app().equals(other.getSpec().app())
        && !one.getMetadata().getUid().equals(other.getMetadata().getUid())
        && !one.hasEnded()
        && !one.hasOwnWorkflow()
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
