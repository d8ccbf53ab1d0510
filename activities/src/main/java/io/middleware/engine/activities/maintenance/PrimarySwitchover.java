package io.middleware.engine.activities.maintenance;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnanswered;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Has the primary switch over before it is evicted. The operation id is the name of the step and a
 * count. So a repeated step attaches to the switchover in progress, while another attempt of the
 * task starts a new one.
 */
public final class PrimarySwitchover {
  /** The pod may become the primary again, but not for ever. */
  private static final int MAX_SWITCHOVERS = 3;

  /** Surplus pods may be stuck, which must not keep the others from being replaced. */
  private static final Duration WAIT_FOR_SURPLUS_PODS = Duration.ofSeconds(30);

  /** What to do about an agent that has no switchover, as the end of a message. */
  static final String WITHOUT_AN_AGENT_THAT_CAN =
      "; use an agent that can switch over, or set switchover to false in the Plugin";

  private final PodStepContext context;
  private final AgentActions actions;
  private final ReplaceRequest request;
  private final String step;
  private int count;
  private boolean unreached;

  /**
   * @param step names the step, in at most 100 characters; the same when the step is repeated
   */
  public PrimarySwitchover(
      PodStepContext context, AgentActions actions, ReplaceRequest request, String step) {
    this.context = context;
    this.actions = actions;
    this.request = request;
    this.step = step;
  }

  /**
   * Whether the pod must switch over before it is evicted: it is a ready primary, and there are
   * other pods.
   *
   * @param role as its agent reports it now; if empty, the role counts that the agent reported when
   *     the pods were put in order
   */
  public boolean isDue(StatefulSet set, PodState pod, String role) {
    var now = role.isEmpty() && count == 0 ? request.pod().role().orElse("") : role;
    return request.switchover()
        && !unreached
        && OutdatedPod.PRIMARY.equals(now)
        && pod.isReady()
        && Rollout.replicas(set) > 1;
  }

  /**
   * What came of a switchover.
   *
   * @param primary name of the new primary; empty when it is not known
   * @param unreached why there was none: the pod is only the last known primary, and its agent does
   *     not answer, so that it goes as it is
   */
  public record SwitchoverResult(String primary, Optional<String> unreached) {}

  /** Whether the pod has switched over within this step. */
  public boolean isDone() {
    return count > 0;
  }

  /**
   * Returns when the pod has switched over.
   *
   * @param progress receives messages; may throw to cancel the switchover
   * @throws io.temporal.failure.ApplicationFailure of kind AGENT_REFUSED or AGENTS_UNAVAILABLE when
   *     the switchover failed
   */
  public SwitchoverResult run(PodState pod, Consumer<String> progress) {
    if (count == MAX_SWITCHOVERS) {
      throw failure(
          FaultKind.AGENT_REFUSED,
          pod,
          "its agent reported %d successful switchovers, but the pod is still the primary; see the agent's log"
              .formatted(count));
    }
    awaitSurplusPods();
    var operation = "%s/switchover-%d".formatted(step, count + 1);
    var outcome = actions.switchover(new ActionCall(request.agents(), pod, operation), progress);
    if (outcome instanceof ActionUnanswered<String>(var why) && request.pod().remembered()) {
      unreached = true;
      return new SwitchoverResult(
          "",
          Optional.of(
              "pod %s was the primary when its agent was last heard; it is replaced without a switchover: %s"
                  .formatted(pod.name(), why)));
    }
    count++;
    return new SwitchoverResult(
        outcome.orThrow(WITHOUT_AN_AGENT_THAT_CAN, (kind, why) -> failure(kind, pod, why)),
        Optional.empty());
  }

  /** A pod that is about to be removed must not become the primary. */
  private void awaitSurplusPods() {
    var key = AppKey.of(request.group().task().change());
    context.waiter().until(key, WAIT_FOR_SURPLUS_PODS, () -> surplusPod(key));
  }

  private Optional<String> surplusPod(AppKey key) {
    return context.view().statefulSet(key, request.statefulSet()).stream()
        .flatMap(
            set ->
                context.view().podsOf(key, set).stream()
                    .filter(pod -> pod.isReady() && Rollout.isSurplus(set, pod)))
        .findFirst()
        .map(pod -> "pod %s: is about to be removed".formatted(pod.name()));
  }

  private static RuntimeException failure(FaultKind kind, PodState pod, String why) {
    return Faults.of(
        kind,
        "pod %s is the primary and has not switched over, so it was not replaced: %s"
            .formatted(pod.name(), why));
  }
}
