package io.middleware.engine.activities.members;

import com.google.common.hash.Hashing;
import io.middleware.engine.activities.actions.ActionTexts;
import io.middleware.engine.activities.pods.ActionProgress;
import io.middleware.engine.activities.pods.AgentActionProgress;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ExistingPods;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.ActionOrder;
import io.middleware.engine.cluster.agents.ActionOutcome;
import io.middleware.engine.cluster.agents.ActionRetry;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.MemberActivities.MoveRequest;
import io.temporal.client.ActivityCanceledException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Has an agent do its part of a move: {@code join}, {@code joined} or {@code leave}.
 *
 * <ol>
 *   <li>Choose the pod that is asked; wait until there is one.
 *   <li>Ask its agent, again and again while it does not answer. When the pod goes away, begin
 *       again at 1.
 *   <li>An exit code of 0 means that it is done, and 2 that it is refused. After any other one ask
 *       again, with an id of its own: the middleware is not there yet.
 * </ol>
 */
final class MemberCall {
  private static final int REFUSED = 2;
  private static final int LONGEST = 300;

  /** Nobody tells when the middleware is there. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final PodStepContext context;
  private final AgentActions actions;
  private final AgentEndpoint agents;
  private final MoveRequest request;
  private final String step;
  private final ExistingPods pods;

  /**
   * @param step names the step for agents; the same when it is repeated
   */
  MemberCall(
      PodStepContext context,
      AgentActions actions,
      AgentEndpoint agents,
      MoveRequest request,
      String step) {
    this.context = context;
    this.actions = actions;
    this.agents = agents;
    this.request = request;
    this.step = step;
    this.pods = ExistingPods.of(context.view(), request.group());
  }

  /**
   * @param choice the pod that is asked now; waits until there is one
   */
  void run(String verb, Supplier<PodState> choice) {
    var progress = new MoveProgress(request.move(), following());
    var missing = Optional.of("");
    for (var attempt = 1; missing.isPresent(); attempt++) {
      context.gate().pass(request.change());
      missing = ask(verb, choice.get(), attempt, progress);
      missing.ifPresent(why -> pause(why, progress));
    }
    progress.done();
  }

  /** Why it is not done yet; empty when it is, or when there is nothing to do. */
  private Optional<String> ask(String verb, PodState pod, int attempt, ActionProgress progress) {
    return switch (outcome(verb, pod, attempt, progress)) {
      case ActionOutcome.ActionDone<ActionOutput>(var output) -> notDone(verb, pod, output);
      case ActionOutcome.ActionUnknown<ActionOutput> nothingToDo -> Optional.empty();
      case ActionOutcome.ActionRefused<ActionOutput>(var why) -> throw refused(why);
      case ActionOutcome.ActionUnanswered<ActionOutput>(var why) -> Optional.of(why);
    };
  }

  private ActionOutcome<ActionOutput> outcome(
      String verb, PodState pod, int attempt, ActionProgress progress) {
    var order = order(verb);
    var id = id(verb, pod, attempt);
    Supplier<ActionCall> call =
        () -> new ActionCall(agents, pods.current(pod.uid()).orElse(pod), id);
    try {
      return new ActionRetry(context.waiter(), pods, pod, progress)
          .untilAnswered(() -> actions.runAction(call.get(), order, progress), why -> why);
    } catch (ActivityCanceledException e) {
      actions.stopAction(call.get(), order, () -> isStopping(pod, verb, progress));
      throw e;
    }
  }

  /** The heartbeats go on: nobody else may take the step while the action ends. */
  private boolean isStopping(PodState pod, String verb, ActionProgress progress) {
    try {
      progress.accept("pod %s: %s is being stopped".formatted(pod.name(), verb));
    } catch (ActivityCanceledException e) {
      // that is known
    }
    return pods.exists(pod.uid());
  }

  private Optional<String> notDone(String verb, PodState pod, ActionOutput output) {
    if (ActionOutcome.endedWell(output)) {
      return Optional.empty();
    }
    var last = ActionTexts.lastLine(PlainText.lines(output.getOutput()));
    var why =
        "pod %s: %s ended with exit code %d%s"
            .formatted(
                pod.name(),
                verb,
                output.getExitCode(),
                last.isEmpty() ? "" : ": " + Excerpt.start(last, LONGEST));
    if (output.getExitCode() == REFUSED) {
      throw refused(why);
    }
    return Optional.of(why);
  }

  private RuntimeException refused(String why) {
    var move = request.move();
    return Faults.of(
        FaultKind.AGENT_REFUSED,
        "pod %s %s group %s, which has %d pods and is to have %d: refused by %s"
            .formatted(
                move.pod(),
                switch (move.direction()) {
                  case JOIN -> "has not joined";
                  case LEAVE -> "has not left";
                },
                request.group().group(),
                pods.names().size(),
                move.target(),
                why));
  }

  private void pause(String why, ActionProgress progress) {
    var message = why + "; asked again";
    context
        .waiter()
        .until(
            AppKey.of(request.change()),
            PAUSE,
            () -> {
              progress.accept(message);
              return Optional.of(message);
            });
  }

  private ActionOrder order(String verb) {
    var move = request.move();
    return new ActionOrder(
        verb,
        Map.of("member", move.pod(), "members", String.valueOf(move.members())),
        Duration.ZERO,
        ActionOrder.KILL_TIMEOUT);
  }

  private ActionProgress following() {
    return AgentActionProgress.of(context, request.change());
  }

  private String id(String verb, PodState pod, int attempt) {
    var key =
        String.join("/", step, verb, request.move().pod(), pod.uid(), String.valueOf(attempt));
    return verb + "-" + Hashing.sha256().hashString(key, StandardCharsets.UTF_8);
  }
}
