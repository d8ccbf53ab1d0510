package io.middleware.engine.activities.maintenance;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.pods.BudgetedEviction;
import io.middleware.engine.activities.pods.PodEvictor.RemovalAnswer.RemovalRefused;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.volumes.VolumeClaims;
import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.RebuildStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import java.time.Duration;
import java.util.Optional;

/**
 * Rebuilds a replica from nothing, once for each Operation.
 *
 * <ol>
 *   <li>End if the Operation's status says that the pod is done.
 *   <li>Require that it is a replica: all other pods of the group are ready, and one of them is the
 *       primary.
 *   <li>Write into the Operation's status which pod and which volume claims are to go, by their
 *       uids; what is there stays. Nothing else is ever deleted.
 *   <li>While that pod exists, or another one that runs on one of these claims: wait until the
 *       disruption budgets and the checks before the pod let it go, require again that it is a
 *       replica, delete the claims, and remove it at once. A claim that is being deleted stays
 *       until its pod is gone, and no pod is made on it.
 *   <li>Wait until the claims are gone, and another pod of that name is ready and has a role.
 *   <li>Write the uid of that pod into the status.
 * </ol>
 */
final class PodRebuild {
  /** A pod may be unready for a moment. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long the successor is waited for before the pod is looked at again. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  private final PodStepContext steps;
  private final VolumeClaims claims;
  private final Operations operations;
  private final GroupPrimary primary;
  private final GroupRef group;
  private final String name;

  /**
   * @param name of the pod
   */
  PodRebuild(
      PodStepContext steps,
      VolumeClaims claims,
      Operations operations,
      GroupPrimary primary,
      GroupRef group,
      String name) {
    this.steps = steps;
    this.claims = claims;
    this.operations = operations;
    this.primary = primary;
    this.group = group;
    this.name = name;
  }

  void run() {
    steps.gate().pass(change());
    var known = operations.find(change()).flatMap(this::status);
    if (known.map(RebuildStatus::newUid).isPresent()) {
      return;
    }
    var rebuild = known.orElseGet(this::begun);
    var progress = steps.reporter().progressOf(change());
    var successor = Optional.<PodState>empty();
    while (successor.isEmpty()) {
      remove(rebuild);
      successor = successor(rebuild, progress);
    }
    progress.done();
    write(rebuild.doneAs(successor.get().uid()));
    steps
        .reporter()
        .event(
            steps.gate().check(change()),
            "PodRebuilt",
            "Rebuild",
            successor.get(),
            "pod %s is ready again, with new volumes".formatted(name));
  }

  /** What is to go, written down. */
  private RebuildStatus begun() {
    requireReplica();
    var pod = live().orElseThrow(() -> refused("pod %s does not exist".formatted(name)));
    var found = claims.of(set(), name);
    return write(new RebuildStatus(name, pod.uid(), found, null));
  }

  /** Returns when nothing is left to remove. */
  private void remove(RebuildStatus rebuild) {
    var eviction = new BudgetedEviction(steps, group);
    for (var pod = due(rebuild); pod.isPresent(); pod = due(rebuild)) {
      var app = steps.gate().passWithSpec(change());
      if (eviction.isRefused(app, pod.get())) {
        continue;
      }
      requireReplica();
      steps.gate().check(change());
      removeNow(app, pod.get(), rebuild);
    }
    eviction.done();
  }

  /** Without its volumes the pod must not stay, whatever a budget says since it was asked. */
  private void removeNow(App app, PodState pod, RebuildStatus rebuild) {
    rebuild.claims().forEach(claim -> claims.delete(app, claim));
    if (steps.evictor().remove(app, pod) instanceof RemovalRefused) {
      steps.evictor().delete(app, pod);
    }
    var note = "deleting pod %s and its volumes; it is recreated empty".formatted(name);
    steps.reporter().event(app, "PodRemovedForRebuild", "Rebuild", pod, note);
  }

  /**
   * The pod that must go. It is read before the claims: a claim that still exists then existed when
   * the pod was made.
   */
  private Optional<PodState> due(RebuildStatus rebuild) {
    return live()
        .filter(pod -> !pod.isTerminating())
        .filter(pod -> pod.uid().equals(rebuild.uid()) || isScheduled(pod) && existsAny(rebuild));
  }

  private static boolean isScheduled(PodState pod) {
    var spec = pod.pod().getSpec();
    return spec != null && spec.getNodeName() != null;
  }

  private boolean existsAny(RebuildStatus rebuild) {
    return rebuild.claims().stream().anyMatch(claim -> claims.exists(change().namespace(), claim));
  }

  /** Empty when it is not ready yet, and may need a look. */
  private Optional<PodState> successor(
      RebuildStatus rebuild, ActionProgressWriter.Action progress) {
    var runLock = steps.gate().watch(change());
    var missing =
        steps
            .waiter()
            .until(
                key(),
                LOOK,
                runLock.guard(
                    () -> {
                      var message = missing(rebuild);
                      message.ifPresent(progress::report);
                      return message;
                    }));
    return missing.isPresent() || existsAny(rebuild) ? Optional.empty() : observed();
  }

  private Optional<String> missing(RebuildStatus rebuild) {
    var going =
        steps.view().volumes(key()).stream()
            .filter(
                volume ->
                    rebuild.claims().stream().anyMatch(claim -> claim.uid().equals(volume.uid())))
            .findFirst()
            .map(volume -> "volume claim %s: is being deleted".formatted(volume.name()));
    return going.or(
        () ->
            observed()
                .filter(pod -> !pod.uid().equals(rebuild.uid()))
                .map(
                    pod ->
                        Rollout.missing(set(), pod)
                            .or(this::unavailable)
                            .or(() -> primary.silent(pod)))
                .orElseGet(() -> Optional.of("pod %s: not created yet".formatted(name))));
  }

  private Optional<String> unavailable() {
    var set = set();
    return Rollout.unavailableMessage(set, steps.view().podsOf(key(), set));
  }

  private void requireReplica() {
    steps
        .waiter()
        .until(key(), PATIENCE, () -> unreadyOther().or(this::doomedVolume))
        .ifPresent(
            why -> {
              throw refused(
                  why + "; a pod is rebuilt only while all others of its group are ready");
            });
    if (primary.await().name().equals(name)) {
      throw refused(
          "pod %s is the primary of group %s; move the primary with a Switchover first"
              .formatted(name, group.group()));
    }
  }

  private Optional<String> unreadyOther() {
    var set = set();
    var pods = steps.view().podsOf(key(), set);
    return Rollout.podNames(set, Rollout.replicas(set)).stream()
        .filter(other -> !other.equals(name))
        .filter(
            other ->
                pods.stream()
                    .filter(it -> it.name().equals(other))
                    .noneMatch(it -> it.isReady() && !it.isTerminating()))
        .findFirst()
        .map(other -> "pod %s is not ready".formatted(other));
  }

  /** Of another pod of the group: it goes when that pod does. */
  private Optional<String> doomedVolume() {
    var set = set();
    var others =
        steps.view().podsOf(key(), set).stream()
            .filter(pod -> !pod.name().equals(name) && !Rollout.isSurplus(set, pod))
            .toList();
    return steps.evictor().claims().of(change().namespace(), others).stream()
        .findFirst()
        .map("volume claim %s of another pod is being deleted"::formatted);
  }

  private Optional<PodState> live() {
    return steps
        .evictor()
        .find(change().namespace(), name)
        .filter(pod -> pod.isControlledBy(set()));
  }

  private Optional<PodState> observed() {
    return steps.view().podsOf(key(), set()).stream()
        .filter(pod -> pod.name().equals(name))
        .findFirst();
  }

  private StatefulSet set() {
    return steps
        .view()
        .statefulSet(key(), group.task().component(), group.group())
        .orElseThrow(
            () ->
                Faults.of(
                    FaultKind.CONFLICT, "group %s has no StatefulSet".formatted(group.group())));
  }

  private RebuildStatus write(RebuildStatus next) {
    var written =
        operations.write(
            change(),
            found ->
                found.hasEnded()
                    ? Optional.empty()
                    : Optional.of(found.getStatus().with(merged(found, next))));
    return merged(written.orElseThrow(this::gone), next);
  }

  /** What is to go is written once. */
  private RebuildStatus merged(Operation found, RebuildStatus next) {
    return status(found).filter(known -> next.newUid() == null).orElse(next);
  }

  private Optional<RebuildStatus> status(Operation operation) {
    return Optional.ofNullable(operation.getStatus()).flatMap(status -> status.rebuild(name));
  }

  private RuntimeException gone() {
    return Faults.of(
        FaultKind.SUPERSEDED,
        "%s has ended or is gone; pod %s was not touched".formatted(change().subject(), name));
  }

  private static RuntimeException refused(String why) {
    return Faults.of(FaultKind.REFUSED, why);
  }

  private AppKey key() {
    return AppKey.of(change());
  }

  private ChangeRef change() {
    return group.change();
  }
}
