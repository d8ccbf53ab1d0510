package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.pods.StopChecks;
import io.middleware.engine.activities.pods.TerminatingClaims;
import io.middleware.engine.activities.resources.DesiredGroups.DesiredGroup;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.workflows.port.DrainFirst;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.Preparation;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What must be done to the pods that the write of a group takes away, before it is written. */
final class PodPreparation {
  private final ScaledDownPods pods;
  private final TerminatingClaims claims;
  private final AgentQueries agents;
  private final StopChecks stopChecks;

  /**
   * @param agents knows which pods have one
   */
  PodPreparation(
      ScaledDownPods pods, TerminatingClaims claims, AgentQueries agents, StopChecks stopChecks) {
    this.pods = pods;
    this.claims = claims;
    this.agents = agents;
    this.stopChecks = stopChecks;
  }

  /** Empty when the group can be written at once. */
  Optional<DrainFirst> first(App app, GroupRef ref, DesiredGroup desired) {
    var removed = pods.removed(ref, desired.objects());
    var stopped = pods.stopped(ref, desired.objects(), desired.isStopped());
    var by = new EnumMap<Preparation, List<LeavingPod>>(Preparation.class);
    if (keep(app, ref, desired).isPresent()) {
      by.put(Preparation.KEEP_VOLUMES, leaving(taken(ref, desired)));
    }
    if (removed.stream().anyMatch(PodState::isReady)
        && (removed.stream().anyMatch(pod -> pod.isReady() && hasAgent(desired, pod))
            || stopChecks.exist(app, ref))) {
      by.put(Preparation.DRAIN, leaving(removed));
    }
    if (stopped.stream().anyMatch(pod -> pod.isRunning() && hasAgent(desired, pod))) {
      by.put(Preparation.PERSIST, leaving(stopped));
    }
    var switchesOver = agents.switchOver(desired.switchover(), removed);
    return by.isEmpty()
        ? Optional.empty()
        : Optional.of(new DrainFirst(by, desired.agents(), switchesOver));
  }

  static List<LeavingPod> leaving(List<PodState> pods) {
    return pods.stream().map(pod -> new LeavingPod(pod.name(), pod.uid())).toList();
  }

  private boolean hasAgent(DesiredGroup desired, PodState pod) {
    return agents.hasAgent(desired.agents(), pod);
  }

  /**
   * For a write whose pods are prepared.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind UNAVAILABLE while a claim of one of the
   *     pods that the write takes away is being deleted
   */
  void requireVolumes(App app, GroupRef ref, DesiredGroup desired) {
    keep(app, ref, desired).ifPresent(PodPreparation::fail);
  }

  /** The same for pods that go with their group. */
  void requireVolumes(App app, GroupRef ref, List<PodState> taken) {
    claims.keep(app, ref.change().generation(), taken).ifPresent(PodPreparation::fail);
  }

  private Optional<String> keep(App app, GroupRef ref, DesiredGroup desired) {
    return claims.keep(app, ref.change().generation(), taken(ref, desired));
  }

  /** A Deployment's controller may take any of its pods after a write. */
  private List<PodState> taken(GroupRef ref, DesiredGroup desired) {
    return Stream.of(
            pods.removed(ref, desired.objects()),
            pods.stopped(ref, desired.objects(), desired.isStopped()),
            pods.ofDeployments(ref))
        .flatMap(List::stream)
        .toList();
  }

  private static void fail(String why) {
    throw Faults.of(FaultKind.UNAVAILABLE, why);
  }
}
