package io.middleware.engine.activities.actions;

import com.google.common.hash.Hashing;
import io.middleware.engine.activities.pods.ActionProgress;
import io.middleware.engine.activities.pods.AgentActionProgress;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.ActionOrder;
import io.middleware.engine.cluster.agents.ActionOutcome;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnanswered;
import io.middleware.engine.cluster.agents.ActionRetry;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.client.ActivityCanceledException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Runs the action of an Operation, or of a hook, on the pods of one group, one after the other.
 *
 * <ol>
 *   <li>Choose the next pod: the one on which the action is running, otherwise one that fits.
 *   <li>Remember that the action begins on it; for an Operation in its status.
 *   <li>Ask its agent, again and again while it does not answer. The id is that of the run, so that
 *       a repeat attaches.
 *   <li>Remember the result. If the pod goes away before, that run is lost: begin again at 1.
 * </ol>
 */
final class GroupAction {
  private final PodStepContext context;
  private final AgentActions actions;
  private final ActionMemory runs;
  private final ActionPodChoice choice;
  private final ActionTarget target;

  /**
   * What is to be run where.
   *
   * @param operation uid of the Operation; of a hook, the step
   * @param hook that runs the action; empty for an Operation
   */
  record ActionTarget(
      GroupRef group,
      String operation,
      ActionOrder order,
      AgentEndpoint agents,
      Optional<HookPoint> hook) {

    /** Of an Operation. */
    ActionTarget(GroupRef group, String operation, ActionOrder order, AgentEndpoint agents) {
      this(group, operation, order, agents, Optional.empty());
    }

    /** At the beginning of a message. */
    private String label() {
      return hook.map(point -> "hook %s: ".formatted(point.label())).orElse("");
    }

    private FaultKind faultOr(FaultKind otherwise) {
      return hook.isPresent() ? FaultKind.HOOK_FAILED : otherwise;
    }
  }

  GroupAction(
      PodStepContext context,
      AgentActions actions,
      ActionMemory runs,
      ActionPodChoice choice,
      ActionTarget target) {
    this.context = context;
    this.actions = actions;
    this.runs = runs;
    this.choice = choice;
    this.target = target;
  }

  void run() {
    for (var pod = next(); pod.isPresent(); pod = next()) {
      context.gate().pass(target.group().change());
      run(pod.get());
    }
  }

  private Optional<PodState> next() {
    var known = runs.byPod();
    known.values().stream()
        .filter(ActionRun::hasFailed)
        .findFirst()
        .ifPresent(
            run -> {
              throw failedBefore(run);
            });
    return choice.next(known);
  }

  private void run(PodState pod) {
    var run = runs.begin(pod);
    var progress = HookProgress.of(target.hook(), following());
    try {
      follow(pod, run, progress);
      progress.done();
    } catch (ActivityCanceledException e) {
      actions.stopAction(call(pod, run), target.order(), () -> isStopping(pod, progress));
      runs.ended(run, ActionRun.CANCELLED, "it was terminated before it had ended");
      throw e;
    }
  }

  private ActionCall call(PodState pod, ActionRun run) {
    return new ActionCall(
        target.agents(), choice.observed().current(pod.uid()).orElse(pod), id(run));
  }

  /** The heartbeats go on: nobody else may take the step while the action ends. */
  private boolean isStopping(PodState pod, ActionProgress progress) {
    try {
      progress.accept("pod %s: %s is being stopped".formatted(pod.name(), target.order().name()));
    } catch (ActivityCanceledException e) {
      // that is known
    }
    return choice.observed().exists(pod.uid());
  }

  private ActionProgress following() {
    return AgentActionProgress.of(context, target.group().change());
  }

  private void follow(PodState pod, ActionRun run, ActionProgress progress) {
    var outcome =
        new ActionRetry(context.waiter(), choice.observed(), pod, progress)
            .untilAnswered(
                () -> actions.runAction(call(pod, run), target.order(), progress),
                why -> {
                  runs.waiting(run, why);
                  return "pod %s: %s".formatted(pod.name(), why);
                });
    if (outcome instanceof ActionUnanswered) {
      runs.ended(run, ActionRun.LOST, "the pod went away before the action had ended");
    } else {
      var remedy = "; give the pods an agent that knows RunAction";
      ended(run, outcome.orThrow(remedy, (kind, why) -> refused(run, why)));
    }
  }

  private void ended(ActionRun run, ActionOutput output) {
    var good = ActionOutcome.endedWell(output);
    runs.ended(run, good ? ActionRun.SUCCEEDED : ActionRun.FAILED, output);
    if (!good) {
      throw failed(run, output);
    }
  }

  private RuntimeException failed(ActionRun run, ActionOutput output) {
    var last = ActionTexts.lastLine(PlainText.lines(output.getOutput()));
    var how =
        output.getTimedOut()
            ? "did not end within %d s and was terminated, with exit code %d"
                .formatted(target.order().timeout().toSeconds(), output.getExitCode())
            : "failed with exit code " + output.getExitCode();
    return Faults.of(
        target.faultOr(FaultKind.ACTION_FAILED),
        "%saction %s on pod %s %s%s; no further pod of group %s was asked"
            .formatted(
                target.label(),
                target.order().name(),
                run.pod(),
                how,
                last.isEmpty() ? "" : ": " + ActionTexts.end(last, 300),
                target.group().group()));
  }

  /** The process that knew it died before its answer was kept. */
  private RuntimeException failedBefore(ActionRun run) {
    return Faults.of(
        FaultKind.ACTION_FAILED,
        "action %s already failed on pod %s and is not retried automatically; it was not run on the other pods of group %s"
            .formatted(target.order().name(), run.pod(), target.group().group()));
  }

  private RuntimeException refused(ActionRun run, String why) {
    runs.ended(run, ActionRun.FAILED, why);
    return Faults.of(
        target.faultOr(FaultKind.AGENT_REFUSED),
        "%s%s; no further pod of group %s was asked"
            .formatted(target.label(), why, target.group().group()));
  }

  /** The same as long as the run is the same. */
  private String id(ActionRun run) {
    var key =
        String.join("/", target.operation(), run.pod(), run.uid(), String.valueOf(run.attempts()));
    return "action-" + Hashing.sha256().hashString(key, StandardCharsets.UTF_8);
  }
}
