package io.middleware.engine.workflows.port;

import static java.util.Collections.unmodifiableMap;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Replaces pods and waits for them. The methods that wait are driven by events and wait as long as
 * their timeout allows; they heartbeat their last observation and end early when cancelled. They
 * fail with kind SUPERSEDED when another run holds the App's run lock.
 */
@ActivityInterface
public interface PodActivities {

  /**
   * Evicts exactly this pod, if it still exists, and waits until its successor is up to date and
   * ready. A pod with another uid is never evicted. The pod is left alone when its order is stale:
   * it has another role now, or a broken pod must be replaced first; and while the App is paused.
   *
   * <p>With a pod to follow, the step waits until that pod's successor is up to date and ready.
   * Only then it looks at the pod. It ends there when it is cancelled meanwhile.
   *
   * <p>With switchover, a ready primary switches over before its eviction, so that the group is
   * without a primary for the shortest time. Fails with kind AGENT_REFUSED and the agent's message
   * when the agent refuses, and with AGENTS_UNAVAILABLE when it does not answer; nothing is touched
   * then.
   */
  @ActivityMethod
  Replacement replacePod(ReplaceRequest request);

  /**
   * Prepares pods that are about to be taken away; what for, the request says.
   *
   * <p>KEEP_VOLUMES waits while a volume claim of theirs is being deleted.
   *
   * <p>DRAIN asks their agents to make them dispensable, one after the other. Pods that are gone or
   * not ready are skipped. An agent that cannot drain or does not answer is skipped too, with an
   * event. Fails with kind AGENT_REFUSED and the agent's message when an agent refuses. With
   * switchover, a primary among them switches over before any of them is drained. Fails with kind
   * AGENT_REFUSED or AGENTS_UNAVAILABLE when it cannot; nothing is touched then.
   *
   * <p>PERSIST asks the agents of all of them at a time to make their data durable, and waits until
   * the primary has done so, or all of them where none is known to be the primary.
   */
  @ActivityMethod
  void drain(DrainRequest request);

  /** Waits until the App is not paused, which may take months: it heartbeats seldom. */
  @ActivityMethod
  void awaitResumed(TaskRef task);

  /**
   * What the group's workload lacks at this moment; empty when {@link #awaitConverged} would
   * return.
   */
  @ActivityMethod
  Optional<String> missing(ConvergeRequest request);

  /**
   * Waits until the group's workload has the desired pods, all of them up to date and ready, and no
   * others. Surplus pods that are broken are deleted.
   */
  @ActivityMethod
  void awaitConverged(ConvergeRequest request);

  /** Waits until a removed group has no pods any more. */
  @ActivityMethod
  void awaitGone(GroupRef group);

  /**
   * What keeps the task's pods from being ready, as the pods report it; empty when nothing does.
   */
  @ActivityMethod
  Optional<String> blocker(TaskRef task);

  /** How far the task, or its rollback, has come at this moment. */
  @ActivityMethod
  TaskState taskState(TaskRef task);

  /**
   * The component's pods by name. Pods whose state is unknown, because their agents were to reload,
   * are in neither list.
   *
   * @param current made from what the task, or its rollback, has written, or about to be
   * @param outdated of groups that the task has not reached, or not changed by it
   * @param settled whether the task has nothing more to do: stopping it has no effect
   * @param unready those of both lists that are not ready
   * @param sinceProgress how long ago the last of the current ones got ready; zero when unknown,
   *     missing in older histories
   * @param leaving those that the task removes for good, as far as they are gone or drained, and
   *     the volumes that it has grown; missing in older histories
   */
  record TaskState(
      List<String> current,
      List<String> outdated,
      boolean settled,
      List<String> unready,
      Duration sinceProgress,
      List<String> leaving) {
    public TaskState {
      current = List.copyOf(current);
      outdated = List.copyOf(outdated);
      unready = unready == null ? List.of() : List.copyOf(unready);
      sinceProgress =
          sinceProgress == null || sinceProgress.isNegative() ? Duration.ZERO : sinceProgress;
      leaving = leaving == null ? List.of() : List.copyOf(leaving);
    }

    public TaskState(
        List<String> current,
        List<String> outdated,
        boolean settled,
        List<String> unready,
        Duration sinceProgress) {
      this(current, outdated, settled, unready, sinceProgress, List.of());
    }

    public TaskState(
        List<String> current, List<String> outdated, boolean settled, List<String> unready) {
      this(current, outdated, settled, unready, Duration.ZERO);
    }

    /** The pods with which the task is done. */
    public List<String> done() {
      return current.stream().filter(pod -> !unready.contains(pod)).toList();
    }

    /** What the task has done so far, each part by a name of its own. */
    public List<String> progress() {
      return Stream.concat(done().stream(), leaving.stream()).toList();
    }

    /** Of pods that are all ready. */
    public TaskState(List<String> current, List<String> outdated, boolean settled) {
      this(current, outdated, settled, List.of());
    }
  }

  /**
   * One pod of a group.
   *
   * @param batchSize how many pods of the group may be in work at once
   * @param agents asked for the pod's role
   * @param lastOrder whether the pod is replaced even if its order is stale
   * @param switchover whether a primary switches over before
   * @param after the pod that is replaced before; empty when the step begins at once
   */
  record ReplaceRequest(
      GroupRef group,
      AppliedStatefulSet statefulSet,
      OutdatedPod pod,
      int batchSize,
      AgentEndpoint agents,
      boolean lastOrder,
      boolean switchover,
      Optional<OutdatedPod> after)
      implements ChangeStep {
    public ReplaceRequest {
      after = after == null ? Optional.empty() : after; // of an older engine
    }

    /** Begins at once. */
    public ReplaceRequest(
        GroupRef group,
        AppliedStatefulSet statefulSet,
        OutdatedPod pod,
        int batchSize,
        AgentEndpoint agents,
        boolean lastOrder,
        boolean switchover) {
      this(group, statefulSet, pod, batchSize, agents, lastOrder, switchover, Optional.empty());
    }

    @Override
    public ChangeRef change() {
      return group.change();
    }
  }

  /**
   * Pods of a group.
   *
   * @param agents of these pods
   * @param switchover whether a primary among them switches over before
   * @param preparations what is done; missing in older histories: they are drained
   * @param by the pods of each preparation; missing in older histories: all of them
   */
  record DrainRequest(
      GroupRef group,
      List<LeavingPod> pods,
      AgentEndpoint agents,
      boolean switchover,
      List<Preparation> preparations,
      Map<Preparation, List<LeavingPod>> by)
      implements ChangeStep {
    public DrainRequest {
      pods = List.copyOf(pods);
      preparations = preparations == null ? List.of(Preparation.DRAIN) : List.copyOf(preparations);
      by = unmodifiableMap(by == null ? new LinkedHashMap<>() : new LinkedHashMap<>(by));
    }

    /** The pods that are prepared in this way. */
    public List<LeavingPod> pods(Preparation preparation) {
      return by.getOrDefault(preparation, pods);
    }

    /** Of what a step must do before it writes. */
    public DrainRequest(GroupRef group, DrainFirst first) {
      this(
          group,
          first.pods(),
          first.agents(),
          first.switchover(),
          first.preparations(),
          first.by());
    }

    @Override
    public ChangeRef change() {
      return group.change();
    }
  }

  /** The result of replacing a pod. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Replaced.class, name = "replaced"),
    @JsonSubTypes.Type(value = OrderStale.class, name = "orderStale"),
    @JsonSubTypes.Type(value = Paused.class, name = "paused")
  })
  sealed interface Replacement permits Replaced, LeftAlone {}

  /**
   * The pod's successor is up to date and ready.
   *
   * @param converged whether {@link #missing} would find nothing at this moment: no further check
   *     is needed
   */
  record Replaced(boolean converged) implements Replacement {}

  /** The pod was not evicted: the pods must be put in order again. */
  sealed interface LeftAlone extends Replacement permits OrderStale, Paused {}

  /** The pod is no longer the next one. */
  record OrderStale(String why) implements LeftAlone {}

  /** The App is paused. */
  record Paused() implements LeftAlone {}

  /**
   * A group and what was applied to it.
   *
   * @param statefulSet empty when the group has none
   */
  record ConvergeRequest(GroupRef group, Optional<AppliedStatefulSet> statefulSet)
      implements ChangeStep {
    @Override
    public ChangeRef change() {
      return group.change();
    }
  }
}
