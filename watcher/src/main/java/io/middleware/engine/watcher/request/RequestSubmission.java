package io.middleware.engine.watcher.request;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.watcher.request.RequestDecision.Check;
import io.middleware.engine.watcher.request.RequestDecision.End;
import io.middleware.engine.watcher.request.RequestDecision.Hold;
import io.middleware.engine.watcher.request.RequestDecision.Remove;
import io.middleware.engine.watcher.request.RequestDecision.Start;
import io.middleware.engine.watcher.request.RequestDecision.Wait;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits the requests of a kind to Temporal, ends those whose run is lost, and removes them some
 * time after their end. Before it starts a run, and after it finds none, it reads the request
 * again: a run writes how the request has ended before it ends itself.
 */
public final class RequestSubmission<T extends CustomResource<?, S>, S> {
  private static final Logger LOG = LoggerFactory.getLogger(RequestSubmission.class);
  private static final String PENDING = "Pending";
  private static final String SUBMITTED = "is about to begin";

  /** How soon to look again at what is about to change. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
  private static final Duration REGULARLY = Duration.ofSeconds(10);

  /** After this time one that has not begun says why. */
  private static final Duration USUAL_BEGINNING = Duration.ofSeconds(30);

  private final RequestKind<T, S> kind;
  private final RequestTurns<T> turns;
  private final RequestObjects<T> objects;
  private final InstantSource clock;

  public RequestSubmission(
      RequestKind<T, S> kind,
      RequestTurns<T> turns,
      RequestObjects<T> objects,
      InstantSource clock) {
    this.kind = kind;
    this.turns = turns;
    this.objects = objects;
    this.clock = clock;
  }

  RequestKind<T, S> kind() {
    return kind;
  }

  /**
   * Whether one that is being deleted has no run to stop: one that is about to begin finds it gone.
   */
  boolean hasNoRun(T request) {
    var progress = kind.progress(request);
    return progress.endedAt().isPresent() || !progress.begun();
  }

  /**
   * Does what is to be done about the request now. One that is being deleted is cancelled. While
   * Temporal does not answer, it stays: what it has created would be forgotten otherwise.
   *
   * @param others the requests of the kind in its namespace
   * @return when to look at it again if nothing happens before; empty when only an edit matters
   */
  public Optional<Duration> reconcile(T request, Supplier<List<T>> others) {
    try {
      var turn = turns.of(request, others, clock.instant());
      return carryOut(turn.decision(), request, turn.runs());
    } catch (TemporalUnavailableException e) {
      unavailable(request, "Temporal does not answer: " + e.getMessage());
      return Optional.of(AFTER_FAILURE);
    }
  }

  private Optional<Duration> carryOut(RequestDecision decision, T request, RequestRuns<T> runs) {
    return switch (decision) {
      case Wait(var next) -> next;
      case Hold hold -> hold(request, hold);
      case Start(var behind) -> start(request, behind, runs);
      case Check(var cancel, var withoutRun) -> {
        var open = cancel ? runs.cancel(request) : runs.isOpen(request);
        yield open ? Optional.of(cancel ? SOON : REGULARLY) : carryOut(withoutRun, request, runs);
      }
      case End end ->
          kind.progress(request).begun() && runs.isOpen(request)
              ? Optional.of(SOON)
              : end(request, end);
      case Remove() -> {
        objects.delete(request);
        yield Optional.empty();
      }
    };
  }

  /** What was written is looked at again: another write may have come first. */
  private Optional<Duration> hold(T request, Hold hold) {
    return !kind.progress(request).begun()
            && say(request, it -> kind.waiting(hold.phase(), hold.why()))
        ? Optional.of(hold.next().filter(next -> next.compareTo(REGULARLY) < 0).orElse(REGULARLY))
        : hold.next();
  }

  private Optional<Duration> start(T seen, Optional<String> behind, RequestRuns<T> runs) {
    var live = objects.live(seen).filter(now -> isAsFar(now, seen));
    if (live.isEmpty()) {
      return Optional.of(REGULARLY);
    }
    var started = runs.start(live.get());
    if (started) {
      log(seen);
    }
    if (!kind.progress(seen).begun()) {
      var unbegun = started ? Optional.<String>empty() : unbegun(live.get(), runs);
      sayItWaits(live.get(), unbegun, behind.filter(why -> !started));
    }
    return Optional.of(started || behind.isEmpty() ? REGULARLY : SOON);
  }

  private Optional<String> unbegun(T live, RequestRuns<T> runs) {
    return runs.unbegun(live, clock.instant().minus(USUAL_BEGINNING))
        .map(why -> SUBMITTED + ": " + why);
  }

  /** One that is about to begin does not say again what it was behind. */
  private void sayItWaits(T live, Optional<String> unbegun, Optional<String> behind) {
    var submitted = kind.waiting(PENDING, SUBMITTED);
    if (unbegun.isPresent() || !submitted.equals(live.getStatus())) {
      var status =
          unbegun.or(() -> behind).map(why -> kind.waiting(PENDING, why)).orElse(submitted);
      if (!status.equals(live.getStatus())) {
        write(live, status);
      }
    }
  }

  /** Nobody looks again at an end that is written, so it is announced first. */
  private Optional<Duration> end(T seen, End end) {
    var at = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    objects
        .live(seen)
        .filter(live -> kind.progress(live).endedAt().isEmpty())
        .ifPresent(
            live -> {
              kind.announce(live, end);
              if (write(live, kind.ended(live, end, at))) {
                kind.count(live, end);
              }
            });
    return Optional.of(SOON);
  }

  private void unavailable(T request, String why) {
    if (!kind.progress(request).begun()) {
      say(request, it -> kind.waiting(PENDING, why));
    } else if (request.isMarkedForDeletion()) {
      say(request, it -> kind.saying(it, "the deletion waits: " + why));
    }
  }

  /** Returns whether that was to be written. */
  private boolean say(T seen, Function<T, S> status) {
    return !isThere(seen, status)
        && objects
            .live(seen)
            .filter(now -> isAsFar(now, seen) && !isThere(now, status))
            .map(now -> write(now, status.apply(now)))
            .isPresent();
  }

  private boolean isThere(T request, Function<T, S> status) {
    return Objects.equals(request.getStatus(), status.apply(request));
  }

  private boolean isAsFar(T live, T seen) {
    var progress = kind.progress(live);
    return progress.endedAt().isEmpty() && progress.begun() == kind.progress(seen).begun();
  }

  private boolean write(T live, S status) {
    live.setStatus(status);
    return objects.writeStatus(live);
  }

  private static void log(HasMetadata request) {
    LOG.atInfo()
        .addKeyValue("namespace", request.getMetadata().getNamespace())
        .addKeyValue("kind", request.getKind())
        .addKeyValue("name", request.getMetadata().getName())
        .log("request submitted");
  }
}
