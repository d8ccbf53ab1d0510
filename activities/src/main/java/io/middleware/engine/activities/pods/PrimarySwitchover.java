package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.agents.ActionOutcome;
import io.middleware.engine.activities.agents.AgentActions.ActionCall;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.activities.pods.PodReplacement.Cluster;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Lets the primary switch over before it is taken. An operation is named after the step and counted
 * within it: a repeat of the step attaches to what is under way, another attempt of the task asks
 * anew.
 */
final class PrimarySwitchover {
  /** The primary may have come back, but not again and again. */
  private static final int MOST = 3;

  /** They may be stuck, which must not keep the others from being replaced. */
  private static final Duration FOR_THOSE_WHO_LEAVE = Duration.ofSeconds(30);

  private final Cluster cluster;
  private final ReplaceRequest request;
  private final String step;
  private int count;

  /**
   * @param step names the step, in at most 100 characters; the same when it is repeated
   */
  PrimarySwitchover(Cluster cluster, ReplaceRequest request, String step) {
    this.cluster = cluster;
    this.request = request;
    this.step = step;
  }

  /**
   * Whether the pod must switch over before it is taken: it serves as the primary, and others may
   * take over.
   *
   * @param role as its agent says now; when it does not say, what it said when pods were put in
   *     order
   */
  boolean isDue(StatefulSet set, PodState pod, String role) {
    var now = role.isEmpty() && count == 0 ? request.pod().role().orElse("") : role;
    return request.switchover()
        && OutdatedPod.PRIMARY.equals(now)
        && pod.isReady()
        && Rollout.wanted(set) > 1;
  }

  /** Whether the pod has switched over within this step. */
  boolean isDone() {
    return count > 0;
  }

  /**
   * Returns when the pod has switched over.
   *
   * @param told how far it is; may throw to cancel
   * @return name of the primary now; empty when it is not known
   * @throws io.temporal.failure.ApplicationFailure of kind AGENT_REFUSED or AGENTS_UNAVAILABLE when
   *     it has not
   */
  String ask(PodState pod, Consumer<String> told) {
    if (count == MOST) {
      throw refused(
          pod,
          "its agent has switched over %d times and says that it is the primary still; see the agent's log"
              .formatted(count));
    }
    awaitLeaving();
    var operation = "%s/switchover-%d".formatted(step, count + 1);
    var outcome =
        cluster.actions().switchover(new ActionCall(request.agents(), pod, operation), told);
    count++;
    return switch (outcome) {
      case ActionOutcome.Done<String>(var primary) -> primary;
      case ActionOutcome.Refused<String>(var why) -> throw refused(pod, why);
      case ActionOutcome.Unknown<String>(var why) ->
          throw refused(
              pod, why + "; give it an agent that can, or set switchover to false in the Plugin");
      case ActionOutcome.Unanswered<String>(var why) ->
          throw Faults.of(FaultKind.AGENTS_UNAVAILABLE, words(pod, why));
    };
  }

  /** A pod that is about to leave for good must not be the one that takes over. */
  private void awaitLeaving() {
    var key = AppKey.of(request.group().task().change());
    cluster.waiting().until(key, FOR_THOSE_WHO_LEAVE, () -> leaving(key));
  }

  private Optional<String> leaving(AppKey key) {
    return cluster.view().statefulSet(key, request.statefulSet()).stream()
        .flatMap(
            set ->
                cluster.view().podsOf(key, set).stream()
                    .filter(pod -> pod.isReady() && Rollout.isSurplus(set, pod)))
        .findFirst()
        .map(pod -> "pod %s: is to leave".formatted(pod.name()));
  }

  private static RuntimeException refused(PodState pod, String why) {
    return Faults.of(FaultKind.AGENT_REFUSED, words(pod, why));
  }

  private static String words(PodState pod, String why) {
    return "pod %s is the primary and was not touched: %s".formatted(pod.name(), why);
  }
}
