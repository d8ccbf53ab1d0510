package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.pods.PodEvictor.RemovalAnswer;
import io.middleware.engine.activities.pods.PodEvictor.RemovalAnswer.PodKept;
import io.middleware.engine.activities.pods.PodEvictor.RemovalAnswer.RemovalAccepted;
import io.middleware.engine.activities.pods.PodEvictor.RemovalAnswer.RemovalRefused;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.Backoff;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Removes a pod, with as many attempts as its disruption budgets and the checks before it require.
 * The first refusal is recorded as an event; the status shows the refusal until it is over, also
 * during a long pause.
 */
public final class BudgetedEviction {
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

  /** Nobody tells when a check holds. */
  private static final Duration RECHECK = Duration.ofSeconds(1);

  private final PodStepContext context;
  private final GroupRef group;
  private final ChangeRef change;
  private final Set<String> reported = new HashSet<>();
  private Duration pause = BACKOFF.first();
  private Optional<ActionProgressWriter.Action> shownRefusal = Optional.empty();

  public BudgetedEviction(PodStepContext context, GroupRef group) {
    this.context = context;
    this.group = group;
    this.change = group.change();
  }

  /**
   * One attempt. After a refusal it returns when a budget of the App or the pod has changed, or
   * after a pause that grows with each refusal. A pod whose volume would go with it is refused in
   * the same way ({@link TerminatingClaims}), and so is one that a check keeps ({@link
   * StopChecks}), with pauses of a second.
   *
   * @param app as it is now
   * @param pod as read from the API server just before
   * @return why the removal was refused; empty when the pod is being deleted
   */
  public Optional<String> attempt(App app, PodState pod) {
    return held(app, pod).or(() -> attemptRehearsed(app, pod));
  }

  /** The attempt right after a rehearsal, which has asked the checks already. */
  public Optional<String> attemptRehearsed(App app, PodState pod) {
    return attempt(app, pod, (by, it) -> context.evictor().replace(by, change.generation(), it));
  }

  /** What an attempt would return now; after a refusal it returns when that does. */
  public Optional<String> rehearse(App app, PodState pod) {
    return held(app, pod)
        .or(
            () ->
                attempt(
                    app,
                    pod,
                    (by, it) -> context.evictor().askToReplace(by, change.generation(), it)));
  }

  /**
   * Whether a budget or a check would refuse now, for a pod that goes with its volumes; it returns
   * then as an attempt that was refused.
   */
  public boolean isRefused(App app, PodState pod) {
    return held(app, pod).or(() -> attempt(app, pod, context.evictor()::ask)).isPresent();
  }

  /** Why a check refuses now; it returns then as an attempt that was refused. */
  public Optional<String> held(App app, PodState pod) {
    var message =
        context
            .stopChecks()
            .refusal(app, group, pod)
            .map(why -> "pod %s is not stopped yet: %s".formatted(pod.name(), why));
    message.ifPresent(
        why ->
            refused(
                why,
                RECHECK,
                () -> true,
                "StopRefused",
                () ->
                    context
                        .reporter()
                        .event(app, "StopRefused", "Check", pod, why + "; it is asked again")));
    return message;
  }

  private Optional<String> attempt(
      App app, PodState pod, BiFunction<App, PodState, RemovalAnswer> removal) {
    var before = observed(pod);
    var reporter = context.reporter();
    return switch (removal.apply(app, pod)) {
      case RemovalAccepted() -> Optional.empty();
      case RemovalRefused(var why) -> {
        var never = UnmeetableBudgets.why(context.view().budgets(AppKey.of(change)), pod);
        var message = "pod %s: %s".formatted(pod.name(), never.orElse(why));
        yield refused(
            message,
            nextPause(),
            () -> before.equals(observed(pod)),
            "EvictionRefused",
            () ->
                never.ifPresentOrElse(
                    it -> reporter.neverEvicted(app, change, pod, message),
                    () ->
                        reporter.event(
                            app,
                            "EvictionRefused",
                            "Replace",
                            pod,
                            message + "; the eviction is retried")));
      }
      case PodKept(var why) ->
          refused(
              why,
              nextPause(),
              () -> before.equals(observed(pod)),
              "PodKept",
              () -> reporter.kept(app, change, pod.uid(), why));
    };
  }

  /**
   * @param reason of the event that is recorded once
   */
  private Optional<String> refused(
      String why,
      Duration longest,
      BooleanSupplier unchanged,
      String reason,
      Runnable firstReport) {
    var message = Optional.of(why);
    context
        .waiter()
        .until(
            AppKey.of(change),
            longest,
            () -> {
              report(why, reason, firstReport);
              return unchanged.getAsBoolean() ? message : Optional.empty();
            });
    return message;
  }

  private Duration nextPause() {
    var next = pause;
    pause = BACKOFF.next(pause);
    return next;
  }

  /** There is no further attempt, because the pod is gone: removes the refusal from the status. */
  public void done() {
    shownRefusal.ifPresent(ActionProgressWriter.Action::done);
  }

  private void report(String message, String reason, Runnable firstReport) {
    if (shownRefusal.isEmpty()) {
      shownRefusal = Optional.of(context.reporter().progressOf(change));
    }
    if (reported.add(reason)) {
      firstReport.run();
    }
    shownRefusal.get().report(message);
  }

  /** What decides whether the pod may go: the App and its budgets, and the pod itself. */
  private List<String> observed(PodState pod) {
    var key = AppKey.of(change);
    var budgets =
        context.view().budgets(key).stream()
            .map(budget -> budget.getMetadata().getResourceVersion())
            .sorted();
    var state =
        context.view().pods(key).stream()
            .filter(now -> now.uid().equals(pod.uid()))
            .map(now -> now.isReady() + " " + now.isTerminating());
    var accepted =
        context.view().app(key).stream()
            .map(app -> "loss " + app.acceptsDataLoss(change.generation()));
    return Stream.of(budgets, state, accepted).flatMap(it -> it).toList();
  }
}
