package io.middleware.engine.watcher.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.middleware.engine.api.Labels;
import io.middleware.engine.watcher.change.RunFinalizer;
import io.middleware.engine.watcher.change.TemporalUnavailableException;
import io.middleware.engine.watcher.testing.TestDecision.Check;
import io.middleware.engine.watcher.testing.TestDecision.End;
import io.middleware.engine.watcher.testing.TestDecision.Remove;
import io.middleware.engine.watcher.testing.TestDecision.Start;
import io.middleware.engine.watcher.testing.TestDecision.Suspend;
import io.middleware.engine.watcher.testing.TestDecision.Wait;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits the tests of a kind to Temporal, ends those whose run is lost, and removes them some time
 * after their end. Before it starts a run, and after it finds none, it reads the test again: a run
 * writes how the test has ended before it ends itself.
 */
final class TestSubmission<T extends HasMetadata> {
  private static final Logger LOG = LoggerFactory.getLogger(TestSubmission.class);
  private static final RunFinalizer FINALIZER = new RunFinalizer(Labels.TEST);
  private static final String PENDING = "Pending";
  private static final String SUSPENDED = "Suspended";
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration REGULARLY = Duration.ofSeconds(10);

  private final TestKind<T> kind;
  private final TestRuns<T> runs;
  private final ObservedTests<T> objects;
  private final InstantSource clock;

  TestSubmission(
      TestKind<T> kind, TestRuns<T> runs, ObservedTests<T> objects, InstantSource clock) {
    this.kind = kind;
    this.runs = runs;
    this.objects = objects;
    this.clock = clock;
  }

  /** The same for a test that may be deleted, or gone. */
  Optional<Duration> reconcile(T test, Context<T> context) {
    if (FINALIZER.isGone(test, context)) {
      return Optional.empty();
    }
    if (test.isMarkedForDeletion()) {
      var next = remove(test);
      FINALIZER.put(test, next.isPresent(), context);
      return next;
    }
    return reconcile(FINALIZER.put(test, kind.progress(test).endedAt().isEmpty(), context));
  }

  /**
   * Does what is to be done about the test now.
   *
   * @return when to look at it again if nothing happens before; empty when only an edit matters
   */
  Optional<Duration> reconcile(T test) {
    try {
      return switch (TestDecision.of(kind.progress(test), clock.instant())) {
        case Wait(var next) -> Optional.of(next);
        case Suspend() -> suspend(test);
        case Start() -> start(test);
        case Check check -> check(test, check);
        case End end -> end(test, end);
        case Remove() -> {
          objects.delete(test);
          yield Optional.empty();
        }
      };
    } catch (TemporalUnavailableException e) {
      waiting(test, PENDING, "Temporal does not answer: " + e.getMessage());
      return Optional.of(SOON);
    }
  }

  /**
   * Stops the run of a test that is being deleted. While Temporal does not answer, the test stays:
   * what it has created would be forgotten otherwise.
   *
   * @return when to look at it again; empty when it may go
   */
  Optional<Duration> remove(T test) {
    var progress = kind.progress(test);
    if (progress.endedAt().isPresent() || !progress.begun()) {
      return Optional.empty(); // a run that is about to begin finds the test gone
    }
    try {
      return cancelled(test) ? Optional.of(SOON) : Optional.empty();
    } catch (TemporalUnavailableException e) {
      heldUp(test, "the deletion waits: Temporal does not answer: " + e.getMessage());
      return Optional.of(SOON);
    }
  }

  /** Whether what is to be done may have changed. */
  boolean differs(T now, T before) {
    return !now.getMetadata().getUid().equals(before.getMetadata().getUid())
        || now.isMarkedForDeletion() != before.isMarkedForDeletion()
        || !now.getFinalizers().equals(before.getFinalizers())
        || !kind.progress(now).equals(kind.progress(before));
  }

  /** What was written is looked at again: another write may have come first. */
  private Optional<Duration> suspend(T test) {
    return waiting(test, SUSPENDED, "begins as the load of a step of an IntegrationTest")
        ? Optional.of(REGULARLY)
        : Optional.empty();
  }

  private Optional<Duration> start(T seen) {
    var live = objects.live(seen).filter(this::hasNotBegun);
    if (live.isPresent() && runs.start(live.get())) {
      log(seen);
    }
    live.ifPresent(test -> say(test, PENDING, "is about to begin"));
    return Optional.of(REGULARLY);
  }

  private Optional<Duration> check(T test, Check check) {
    var open = check.cancel() ? cancelled(test) : runs.isOpen(test);
    return open ? Optional.of(check.cancel() ? SOON : REGULARLY) : end(test, check.lost());
  }

  /** Asks the run to stop; returns whether there is one. */
  private boolean cancelled(T test) {
    var open = runs.isOpen(test);
    if (open) {
      runs.cancel(test);
    }
    return open;
  }

  private Optional<Duration> end(T seen, End end) {
    var at = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    objects
        .live(seen)
        .filter(live -> kind.progress(live).endedAt().isEmpty())
        .ifPresent(
            live -> {
              kind.putEnd(live, end, at);
              objects.writeStatus(live);
            });
    return Optional.of(REGULARLY);
  }

  private boolean waiting(T seen, String phase, String why) {
    return objects
        .live(seen)
        .filter(this::hasNotBegun)
        .filter(live -> say(live, phase, why))
        .isPresent();
  }

  private void heldUp(T seen, String why) {
    objects
        .live(seen)
        .filter(live -> kind.progress(live).endedAt().isEmpty() && kind.progress(live).begun())
        .filter(live -> kind.putMessage(live, why))
        .ifPresent(objects::writeStatus);
  }

  private boolean hasNotBegun(T test) {
    var progress = kind.progress(test);
    return !progress.begun() && progress.endedAt().isEmpty();
  }

  private boolean say(T live, String phase, String why) {
    var differs = kind.putWaiting(live, phase, why);
    if (differs) {
      objects.writeStatus(live);
    }
    return differs;
  }

  private static void log(HasMetadata test) {
    LOG.atInfo()
        .addKeyValue("namespace", test.getMetadata().getNamespace())
        .addKeyValue("kind", test.getKind())
        .addKeyValue("test", test.getMetadata().getName())
        .log("test submitted");
  }
}
