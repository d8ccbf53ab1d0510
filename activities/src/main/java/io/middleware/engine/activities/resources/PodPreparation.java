package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.pods.TerminatingClaims;
import io.middleware.engine.activities.resources.DesiredGroups.DesiredGroup;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.DrainFirst;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.Preparation;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What must be done to the pods that the write of a group takes away, before it is written. */
final class PodPreparation {
  private final ScaledDownPods pods;
  private final TerminatingClaims claims;

  PodPreparation(ScaledDownPods pods, TerminatingClaims claims) {
    this.pods = pods;
    this.claims = claims;
  }

  /** Empty when the group can be written at once. */
  Optional<DrainFirst> first(App app, GroupRef ref, DesiredGroup desired) {
    var stopped = pods.stopped(ref, desired.objects(), desired.isStopped());
    var removed = pods.removed(ref, desired.objects());
    var preparations = EnumSet.noneOf(Preparation.class);
    if (keep(app, ref, desired).isPresent()) {
      preparations.add(Preparation.KEEP_VOLUMES);
    }
    if (desired.agents().exists() && removed.stream().anyMatch(PodState::isReady)) {
      preparations.add(Preparation.DRAIN);
    }
    if (desired.agents().exists() && stopped.stream().anyMatch(PodState::isRunning)) {
      preparations.add(Preparation.PERSIST);
    }
    var keepsOnly = preparations.equals(EnumSet.of(Preparation.KEEP_VOLUMES));
    var taken =
        (keepsOnly
                ? taken(ref, desired)
                : Stream.concat(removed.stream(), stopped.stream()).toList())
            .stream().map(pod -> new LeavingPod(pod.name(), pod.uid())).toList();
    return Optional.of(preparations)
        .filter(it -> !it.isEmpty())
        .map(it -> new DrainFirst(taken, desired.agents(), desired.switchover(), List.copyOf(it)));
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
