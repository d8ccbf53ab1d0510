package io.middleware.engine.watcher.control;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.App;
import io.middleware.engine.api.TaskStatus;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.watcher.change.ChangeRuns;
import io.middleware.engine.watcher.change.ChangeSignal;
import io.middleware.engine.watcher.change.ControlRequest;
import io.middleware.engine.watcher.change.ControlRequest.Approve;
import io.middleware.engine.watcher.change.ControlRequest.CancelChange;
import io.middleware.engine.watcher.change.ControlRequest.CancelTasks;
import io.middleware.engine.watcher.change.ControlRequest.RetryTasks;
import io.middleware.engine.watcher.change.RequestAnswer;
import io.middleware.engine.watcher.change.RequestAnswer.Accepted;
import io.middleware.engine.watcher.change.RequestAnswer.NoRun;
import io.middleware.engine.watcher.change.RequestAnswer.NotYet;
import io.middleware.engine.watcher.change.RequestAnswer.Refused;
import io.middleware.engine.watcher.change.TemporalUnavailableException;
import io.middleware.engine.watcher.control.ControlledApps.Outcome;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the requests on an App to its run, and answers them.
 *
 * <ol>
 *   <li>The App is read anew: what is asked for may have been answered already.
 *   <li>The open run decides. A retry that finds none is decided here, by the status, and starts
 *       one.
 *   <li>The answer becomes an event, granted or not; then the annotation goes. A crash in between
 *       repeats it all under the same id, which changes nothing.
 * </ol>
 */
public final class ControlRequests {
  private static final Logger LOG = LoggerFactory.getLogger(ControlRequests.class);
  private static final String REFUSED = "ControlRefused";
  private static final int LONGEST_QUOTE = 200;

  private final ChangeRuns runs;
  private final ControlledApps apps;
  private final Allowed allowed;
  private final Duration away;

  /**
   * What the engine's settings let people ask for by annotation.
   *
   * @param retry setting {@code manualRetry}
   * @param cancel setting {@code manualCancel}
   */
  public record Allowed(boolean retry, boolean cancel) {
    private Optional<String> switchedOffBy(ControlForm form) {
      return switch (form) {
        case RETRY -> retry ? Optional.empty() : Optional.of("manualRetry");
        case CANCEL -> cancel ? Optional.empty() : Optional.of("manualCancel");
        case APPROVE -> Optional.<String>empty();
      };
    }
  }

  /**
   * @param away before the next try, when runs cannot be asked
   */
  public ControlRequests(ChangeRuns runs, ControlledApps apps, Allowed allowed, Duration away) {
    this.runs = runs;
    this.apps = apps;
    this.allowed = allowed;
    this.away = away;
  }

  /**
   * Answers what is asked for; what Temporal could not be asked stays on the App.
   *
   * @return when to attend to this App again if nothing happens before
   */
  public Optional<Duration> attend(App cached) {
    try {
      if (forms(cached).findAny().isPresent()) {
        apps.read(cached).ifPresent(app -> forms(app).forEach(form -> attend(app, form)));
      }
      return Optional.empty();
    } catch (TemporalUnavailableException e) {
      return Optional.of(away);
    }
  }

  private static Stream<ControlForm> forms(App app) {
    var annotations = app.getMetadata().getAnnotations();
    return annotations == null
        ? Stream.empty()
        : Stream.of(ControlForm.values())
            .filter(form -> annotations.containsKey(form.annotation()));
  }

  private void attend(App app, ControlForm form) {
    var value = app.getMetadata().getAnnotations().get(form.annotation());
    var id = RequestId.of(app, form.annotation(), value);
    var outcome =
        switch (answer(app, form, value, id)) {
          case Accepted(var words) -> new Outcome(id, false, form.reason(), words);
          case Refused(var why) -> new Outcome(id, true, REFUSED, why);
          case NotYet() ->
              throw new TemporalUnavailableException("the run has not begun yet", null);
          case NoRun() ->
              new Outcome(
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
    apps.tell(app, outcome);
    apps.remove(app, form.annotation());
  }

  private RequestAnswer answer(App app, ControlForm form, String value, String id) {
    var switchedOff = allowed.switchedOffBy(form);
    if (switchedOff.isPresent()) {
      return new Refused(
          "annotation %s is switched off: %s is false in the engine's settings"
              .formatted(form.annotation(), switchedOff.get()));
    }
    try {
      var control = scoped(app, form, form.read(value));
      var meta = app.getMetadata();
      var answer = runs.ask(meta.getNamespace(), meta.getName(), id, control);
      return answer instanceof NoRun ? withoutRun(app, control) : answer;
    } catch (IllegalArgumentException e) {
      return new Refused(e.getMessage());
    }
  }

  /**
   * A cancel of the whole change is meant for the change that ran when it was written, not for one
   * that has begun since: that may be the very edit that was waited for.
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
          "the change that this cancel was written for has ended: there is nothing to cancel");
    }
    return ended ? control : new CancelChange(ChangeScope.of(change.generation()));
  }

  private RequestAnswer withoutRun(App app, ControlRequest control) {
    return switch (control) {
      case Approve(var plan) -> new NoRun();
      case CancelChange(var scope) -> new NoRun();
      case CancelTasks(var tasks) -> new NoRun();
      case RetryTasks(var tasks) -> again(app, tasks);
    };
  }

  /**
   * @throws IllegalArgumentException with the reason when it cannot be granted
   * @throws RunsAwayException when a run has opened meanwhile: it is the one to ask
   */
  private RequestAnswer again(App app, RetryRequest tasks) {
    checkGeneration(app);
    tasks.retryTaskIds().forEach(id -> checkTask(app, id, tasks.retryTaskIds()));
    if (!runs.start(ChangeSignal.again(app, tasks))) {
      throw new TemporalUnavailableException("a run has opened", null);
    }
    return new Accepted(
        "retry of %s accepted: a new run of generation %d begins"
            .formatted(String.join(", ", tasks.retryTaskIds()), app.getMetadata().getGeneration()));
  }

  private static void checkGeneration(App app) {
    long wanted = app.getMetadata().getGeneration();
    var change = app.getStatus() == null ? null : app.getStatus().change();
    if (change == null || change.generation() == null) {
      throw refused("no change has run yet: there is nothing to retry");
    }
    if (change.generation() != wanted) {
      throw refused(
          "the last change was of generation %d, but the App is at generation %d, which is"
              + " carried out by itself: there is nothing to retry",
          change.generation(), wanted);
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
                        id.length() > LONGEST_QUOTE ? id.substring(0, LONGEST_QUOTE) + "…" : id,
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
