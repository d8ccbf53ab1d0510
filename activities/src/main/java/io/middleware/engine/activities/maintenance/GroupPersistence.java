package io.middleware.engine.activities.maintenance;

import io.middleware.engine.activities.maintenance.DurableData.Answer;
import io.middleware.engine.activities.pods.PodRoles;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import io.middleware.engine.workflows.port.Preparation;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Has the pods of a group make their data durable before all of them are taken away.
 *
 * <ol>
 *   <li>Ask all that run at a time, ready or not. What does not run has nothing in its memory.
 *   <li>The data of the primary must be durable; where none says that it is the primary, those of
 *       each. The others only should be: their failure is an event. So is an agent that does not
 *       answer, where the group is removed: that must not get stuck.
 *   <li>If they are not, let all of them take writes again, say why, and begin again at 1 after a
 *       while, until the user accepts the loss.
 *   <li>If the primary was ready long before the last pod, ask it again: its writes are paused for
 *       a time only.
 * </ol>
 */
final class GroupPersistence {
  /** Shorter than agents give a result again. */
  private static final Duration FRESH = Duration.ofSeconds(90);

  private final PodStepContext context;
  private final AgentQueries queries;
  private final DrainRequest request;
  private final DurableData data;
  private final DataLoss loss;

  /**
   * @param step names the step for agents; the same when the step is repeated
   */
  GroupPersistence(
      PodStepContext context,
      AgentQueries queries,
      AgentActions actions,
      DrainRequest request,
      String step) {
    this.context = context;
    this.queries = queries;
    this.request = request;
    this.data = new DurableData(context, actions, request.agents(), request.change(), step);
    this.loss = new DataLoss(context, request.change());
  }

  void run() {
    var app = context.gate().pass(request.change());
    while (!loss.isAccepted(app) && !isDurable(app)) {
      app = context.gate().pass(request.change());
    }
    loss.done();
  }

  /** Returns after a while when the data are not. */
  private boolean isDurable(App app) {
    var pods = running();
    var required = required(pods);
    var answers = persist(pods, required);
    for (var pod : required) {
      var answer = answers.get(pod);
      if (holds(answer)) {
        data.resume(pods);
        loss.refuse(app, request.group().group(), loss.notDurable(pod, answer.problem().get()));
        return false;
      }
    }
    answers.forEach(
        (pod, answer) ->
            answer.problem().ifPresent(why -> context.reporter().notDurable(app, pod, why)));
    return true;
  }

  private boolean holds(Answer answer) {
    var removed = request.group().task().type() == ChangeType.REMOVE;
    return answer.problem().isPresent() && (answer.refused() || !removed);
  }

  private Map<PodState, Answer> persist(List<PodState> pods, List<PodState> required) {
    var answers = data.persist(pods);
    return required.stream().map(answers::get).anyMatch(answer -> answer.isOlderThan(FRESH))
        ? again(answers, required)
        : answers;
  }

  private Map<PodState, Answer> again(Map<PodState, Answer> before, List<PodState> required) {
    var answers = new LinkedHashMap<>(before);
    answers.putAll(data.persist(required));
    return answers;
  }

  private List<PodState> required(List<PodState> pods) {
    var ready = pods.stream().filter(PodState::isReady).toList();
    if (ready.isEmpty()) {
      return pods;
    }
    var message = "pod %s: to be stopped, asked for its role".formatted(ready.getFirst().name());
    try {
      var primaries =
          AttendedCalls.await(
                  () -> PodRoles.of(queries, request.agents(), ready),
                  () -> context.waiter().heartbeat().send(message))
              .primaries();
      return primaries.isEmpty() ? pods : primaries;
    } catch (ApplicationFailure e) {
      if (e.isNonRetryable()) {
        return pods; // the agents cannot be reached
      }
      throw e;
    }
  }

  /** By name: a pod may have been made again while its data could not be made durable. */
  private List<PodState> running() {
    var names = request.pods(Preparation.PERSIST).stream().map(LeavingPod::name).toList();
    return context.view().pods(AppKey.of(change())).stream()
        .filter(pod -> names.contains(pod.name()))
        .filter(pod -> pod.isRunning() && pod.ip().isPresent())
        .toList();
  }

  private ChangeRef change() {
    return request.change();
  }
}
