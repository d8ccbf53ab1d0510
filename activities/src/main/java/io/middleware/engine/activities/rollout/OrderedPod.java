package io.middleware.engine.activities.rollout;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import java.util.Optional;
import java.util.function.Supplier;

/** The pod that a step is to replace, as it is now. */
final class OrderedPod {
  private final PodStepContext context;
  private final RoleNow role;
  private final ReplaceRequest request;
  private final Supplier<Optional<StatefulSet>> set;

  /**
   * @param set of the pod, as it is now
   */
  OrderedPod(
      PodStepContext context,
      RoleNow role,
      ReplaceRequest request,
      Supplier<Optional<StatefulSet>> set) {
    this.context = context;
    this.role = role;
    this.request = request;
    this.set = set;
  }

  /** The pod, if something must be done to it, and its role. */
  record ObservedPod(Optional<PodState> pod, String role) {}

  /** With heartbeats, because a cancel must reach an agent that hangs. */
  ObservedPod observe() {
    var message = "pod %s: to be replaced, asked for its role".formatted(request.pod().name());
    var roleNow =
        AttendedCalls.await(
            () -> role.of(request, context.view().pods(key())),
            () -> context.waiter().heartbeat().send(message));
    return new ObservedPod(outdatedPod(), roleNow);
  }

  /** The pod to replace; empty when nothing must be done to it. */
  private Optional<PodState> outdatedPod() {
    return orderedPod()
        .filter(pod -> !pod.isTerminating())
        .filter(
            pod ->
                set.get().filter(set -> !pod.revision().equals(Rollout.revision(set))).isPresent());
  }

  /**
   * The view may be behind: a pod that it does not show is looked up at the API server. One that it
   * does show may be gone, but what is evicted is this one or none.
   */
  private Optional<PodState> orderedPod() {
    return context.view().pods(key()).stream()
        .filter(this::isOrdered)
        .findFirst()
        .or(
            () ->
                context
                    .evictor()
                    .find(request.change().namespace(), request.pod().name())
                    .filter(this::isOrdered));
  }

  private boolean isOrdered(PodState pod) {
    return pod.uid().equals(request.pod().uid());
  }

  private AppKey key() {
    return AppKey.of(request.change());
  }
}
