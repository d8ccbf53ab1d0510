package io.middleware.engine.activities.rotation;

import static java.util.Objects.requireNonNull;

import io.middleware.engine.activities.actions.ActionTexts;
import io.middleware.engine.activities.pods.AgentActionProgress;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.agents.ActionOrder;
import io.middleware.engine.cluster.agents.ActionOutcome;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnanswered;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.cluster.secrets.RotatedSecret;
import io.middleware.engine.planning.operation.RotatedValues.Use;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Asks all pods that use secrets once to take a step of their rotation. The agents' part is in
 * {@code docs/plugins.md}.
 *
 * @param salt another one for each round
 */
record RotationRound(
    PodStepContext context, AgentActions actions, ChangeRef change, Step step, String salt) {
  private static final String ACTION = "rotate-passwords";

  /** What an agent answers that cannot take the step yet. */
  private static final int NOT_YET = 75;

  private static final Duration LONGEST = Duration.ofSeconds(20);

  /** What the pods do one after the other. */
  enum Step {
    ACCEPT,
    USE,
    RETIRE;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Which pod has not taken the step, and why; empty when all have.
   *
   * @param seen the Secrets by name
   * @throws io.temporal.failure.ApplicationFailure of kind AGENT_REFUSED when an agent cannot take
   *     it
   */
  Optional<String> missing(List<UsingGroup> groups, Map<String, RotatedSecret> seen) {
    return first(groups, group -> missing(group, seen));
  }

  private Optional<String> missing(UsingGroup group, Map<String, RotatedSecret> seen) {
    var key = AppKey.of(change);
    var set = context.view().statefulSet(key, group.component(), group.group());
    if (set.isEmpty()) {
      return Optional.of(
          "group %s of component %s has no StatefulSet"
              .formatted(group.group(), group.component()));
    }
    var pods = context.view().podsOf(key, set.get());
    return first(
        Rollout.podNames(set.get(), Rollout.replicas(set.get())),
        name ->
            pods.stream()
                .filter(pod -> pod.name().equals(name) && pod.ip().isPresent())
                .findFirst()
                .map(pod -> missing(group, pod, seen))
                .orElseGet(() -> Optional.of("pod %s does not run".formatted(name))));
  }

  private Optional<String> missing(
      UsingGroup group, PodState pod, Map<String, RotatedSecret> seen) {
    var parameters = new TreeMap<>(Map.of("step", step.label(), "salt", salt));
    for (Use use : group.uses()) {
      var secret = use.secret();
      parameters.put(
          use.parameter(), requireNonNull(seen.get(secret.name())).digest(secret.key(), salt));
    }
    var operation = change.operation().orElseThrow().uid();
    var progress = AgentActionProgress.of(context, change);
    var outcome =
        actions.runAction(
            new ActionCall(
                group.agents(), pod, "%s/%s/%s".formatted(operation, step.label(), salt)),
            new ActionOrder(ACTION, parameters, LONGEST, LONGEST),
            progress);
    progress.done();
    return missing(pod, outcome);
  }

  private Optional<String> missing(PodState pod, ActionOutcome<ActionOutput> outcome) {
    if (outcome instanceof ActionUnanswered<ActionOutput>(var why)) {
      return Optional.of(why);
    }
    var output =
        outcome.orThrow(
            "; give the pods an agent that can rotate secrets",
            (kind, why) ->
                Faults.of(
                    kind,
                    "pod %s cannot take part in the rotation: %s".formatted(pod.name(), why)));
    if (ActionOutcome.endedWell(output)) {
      return Optional.empty();
    }
    return Optional.of(
        "pod %s: %s"
            .formatted(
                pod.name(),
                output.getExitCode() == NOT_YET
                    ? said(output)
                    : "rotate-passwords (%s) failed: %s".formatted(step.label(), said(output))));
  }

  private static String said(ActionOutput output) {
    return ActionTexts.lastLine(PlainText.lines(output.getOutput()));
  }

  private static <T> Optional<String> first(List<T> all, Function<T, Optional<String>> missing) {
    return all.stream().map(missing).flatMap(Optional::stream).findFirst();
  }
}
