package io.middleware.engine.watcher.control;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.App;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.watcher.change.ChangeRuns;
import io.middleware.engine.watcher.change.ChangeSignal;
import io.middleware.engine.watcher.change.ControlRequest;
import io.middleware.engine.watcher.change.ControlRequest.ApprovePlan;
import io.middleware.engine.watcher.change.ControlRequest.CancelChange;
import io.middleware.engine.watcher.change.ControlRequest.CancelTasks;
import io.middleware.engine.watcher.change.ControlRequest.RetryTasks;
import io.middleware.engine.watcher.change.RequestAnswer;
import io.middleware.engine.watcher.change.RequestAnswer.Accepted;
import io.middleware.engine.watcher.change.RequestAnswer.NoRun;
import io.middleware.engine.watcher.change.RequestAnswer.NotYet;
import io.middleware.engine.watcher.change.RequestAnswer.Refused;
import io.middleware.engine.watcher.change.RequestedChange;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the control requests on an App to its run, and publishes the answers.
 *
 * <ol>
 *   <li>Read the App again: the request may have been answered already.
 *   <li>The open run decides. If no run is open, a retry is decided here, by the status, and starts
 *       a run.
 *   <li>Write the answer as an event, accepted or refused; then remove the annotation. After a
 *       crash in between, all steps are repeated under the same id, which changes nothing.
 * </ol>
 */
public final class ControlRequests {
  private static final Logger LOG = LoggerFactory.getLogger(ControlRequests.class);
  private static final String REFUSED = "ControlRefused";
  private static final int LONGEST_QUOTE = 200;

  private final ChangeRuns runs;
  private final ControlledApps apps;
  private final AllowedControls allowed;
  private final Duration retryDelay;

  /**
   * The control requests that the engine's settings allow by annotation.
   *
   * @param retry setting {@code manualRetry}
   * @param cancel setting {@code manualCancel}
   */
  public record AllowedControls(boolean retry, boolean cancel) {
    private Optional<String> disabledBy(ControlForm form) {
      return switch (form) {
        case RETRY -> retry ? Optional.empty() : Optional.of("manualRetry");
        case CANCEL -> cancel ? Optional.empty() : Optional.of("manualCancel");
        case APPROVE -> Optional.<String>empty();
      };
    }
  }

  /**
   * @param retryDelay before the next attempt, when Temporal does not answer
   */
  public ControlRequests(
      ChangeRuns runs, ControlledApps apps, AllowedControls allowed, Duration retryDelay) {
    this.runs = runs;
    this.apps = apps;
    this.allowed = allowed;
    this.retryDelay = retryDelay;
  }

  /**
   * Answers the requests; one that could not reach Temporal stays on the App.
   *
   * @return when to reconcile this App again if nothing happens before
   */
  public Optional<Duration> reconcile(App cached) {
    try {
      if (forms(cached).findAny().isPresent()) {
        apps.read(cached).ifPresent(app -> forms(app).forEach(form -> process(app, form)));
      }
      return Optional.empty();
    } catch (TemporalUnavailableException e) {
      return Optional.of(retryDelay);
    }
  }

  private static Stream<ControlForm> forms(App app) {
    var annotations = app.getMetadata().getAnnotations();
    return annotations == null
        ? Stream.empty()
        : Stream.of(ControlForm.values())
            .filter(form -> annotations.containsKey(form.annotation()));
  }

  private void process(App app, ControlForm form) {
    var value = app.getMetadata().getAnnotations().get(form.annotation());
    var id = RequestId.of(app, form.annotation(), value);
    var outcome =
        switch (answer(app, form, value, id)) {
          case Accepted(var message) -> new ControlOutcome(id, false, form.reason(), message);
          case Refused(var reason) -> new ControlOutcome(id, true, REFUSED, reason);
          case NotYet() ->
              throw new TemporalUnavailableException(
                  "the run does not know yet what is requested", null);
          case NoRun() ->
              new ControlOutcome(
                  id,
                  true,
                  REFUSED,
                  "no change is running: there is nothing to "
                      + (form == ControlForm.APPROVE ? "approve" : "cancel"));
        };
    LOG.atInfo()
        .addKeyValue("namespace", app.getMetadata().getNamespace())
        .addKeyValue("app", app.getMetadata().getName())
        .addKeyValue("reason", outcome.reason())
        .addKeyValue("answer", outcome.note())
        .log("request answered");
    apps.publish(app, outcome);
    apps.remove(app, form.annotation());
  }

  private RequestAnswer answer(App app, ControlForm form, String value, String id) {
    var disabled = allowed.disabledBy(form);
    if (disabled.isPresent()) {
      return new Refused(
          "annotation %s is disabled: %s is false in the engine's settings"
              .formatted(form.annotation(), disabled.get()));
    }
    try {
      var control = scoped(app, form, form.read(value));
      var meta = app.getMetadata();
      var answer = runs.request(meta.getNamespace(), meta.getName(), id, control);
      return answer instanceof NoRun ? withoutRun(app, control) : answer;
    } catch (IllegalArgumentException e) {
      return new Refused(e.getMessage());
    }
  }

  /**
   * A cancel of the whole change applies to the change that ran when the annotation was written,
   * not to a change that began since, which may be the edit that the operator waited for.
   *
   * @throws IllegalArgumentException when that change has ended
   */
  private static ControlRequest scoped(App app, ControlForm form, ControlRequest control) {
    var change = app.getStatus() == null ? null : app.getStatus().change();
    if (!(control instanceof CancelChange) || change == null) {
      return control;
    }
    var ended = change.outcome() != null;
    var since = ended ? change.completedAt() : change.startedAt();
    if (since != null && RequestId.setAt(app, form.annotation()).compareTo(since) < 0) {
      throw refused(
          "the change that this cancel was meant for has ended: there is nothing to cancel");
    }
    return ended ? control : new CancelChange(ChangeScope.of(change.generation()));
  }

  private RequestAnswer withoutRun(App app, ControlRequest control) {
    return switch (control) {
      case ApprovePlan(var plan) -> new NoRun();
      case CancelChange(var scope) -> new NoRun();
      case CancelTasks(var tasks) -> new NoRun();
      case RetryTasks(var tasks) -> retry(app, tasks);
    };
  }

  /**
   * @throws IllegalArgumentException with the reason when the retry is refused
   * @throws TemporalUnavailableException when a run has opened meanwhile: that run must decide
   */
  private RequestAnswer retry(App app, RetryRequest tasks) {
    checkGeneration(app);
    if (tasks.retryTaskIds().isEmpty()) {
      return replan(app);
    }
    tasks.retryTaskIds().forEach(id -> checkTask(app, id, tasks.retryTaskIds()));
    if (!runs.start(ChangeSignal.retry(app, tasks))) {
      throw new TemporalUnavailableException("a run was opened meanwhile", null);
    }
    return new Accepted(
        "retry of %s accepted: a new run of generation %d begins"
            .formatted(String.join(", ", tasks.retryTaskIds()), app.getMetadata().getGeneration()));
  }

  private RequestAnswer replan(App app) {
    if (!RequestedChange.isRejected(app)) {
      throw refused(
          "only a change that was rejected is retried as a whole: name the tasks to retry, %s",
          RetryRequest.EXPECTED);
    }
    if (!runs.start(ChangeSignal.replan(app))) {
      throw new TemporalUnavailableException("a run was opened meanwhile", null);
    }
    return new Accepted(
        "retry accepted: generation %d is planned again"
            .formatted(app.getMetadata().getGeneration()));
  }

  private static void checkGeneration(App app) {
    long generation = app.getMetadata().getGeneration();
    var change = app.getStatus() == null ? null : app.getStatus().change();
    if (change == null || change.generation() == null) {
      throw refused("no change has run yet: there is nothing to retry");
    }
    if (change.generation() != generation) {
      throw refused(
          "the last change was for generation %d, but the App is at generation %d, which starts"
              + " a change of its own: there is nothing to retry",
          change.generation(), generation);
    }
  }

  private static void checkTask(App app, String id, List<String> retried) {
    var tasks = app.getStatus().tasks() == null ? List.<TaskStatus>of() : app.getStatus().tasks();
    var task =
        tasks.stream()
            .filter(one -> one.id().equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    refused(
                        "no task '%s' in generation %d; there are: %s",
                        Excerpt.of(id, LONGEST_QUOTE),
                        app.getMetadata().getGeneration(),
                        tasks.isEmpty()
                            ? "none"
                            : tasks.stream().map(TaskStatus::id).collect(joining(", "))));
    if (TaskPhase.DONE.label().equals(task.status())) {
      throw refused("task %s is Done: there is nothing to retry", id);
    }
    var missing =
        tasks.stream()
            .filter(one -> task.dependencies() != null && task.dependencies().contains(one.id()))
            .filter(one -> !TaskPhase.DONE.label().equals(one.status()))
            .map(TaskStatus::id)
            .filter(one -> !retried.contains(one))
            .collect(joining(", "));
    if (!missing.isEmpty()) {
      throw refused("task %s depends on %s, not done either: retry that as well", id, missing);
    }
  }

  private static IllegalArgumentException refused(String format, Object... values) {
    return new IllegalArgumentException(format.formatted(values));
  }
}
