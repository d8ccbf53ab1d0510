package io.middleware.engine.watcher.roles;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupStatus;
import io.middleware.engine.watcher.health.HeardRole;
import io.middleware.engine.watcher.health.RoleProblem;
import io.middleware.engine.watcher.health.RoleState;
import io.middleware.engine.watcher.roles.RoleClient.ReportedRole;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The roles of one group's ready pods, and when to poll each pod.
 *
 * <ol>
 *   <li>When a pod comes or goes, roles are likely to change, so all pods are polled together.
 *   <li>A group is settled when it has exactly one primary. Its roles rarely change, so the primary
 *       and the others are polled regularly: a failover shows at the old primary, a second primary
 *       at the others.
 *   <li>A change is reported only after all pods of a common poll have answered or failed.
 *   <li>When the engine says that it has switched over, all pods are polled together. The
 *       switchover is observed when a single pod has said since that it is the primary.
 *   <li>A pod whose agent says by itself when its role changes is only polled together with the
 *       others, and when it was silent for too long.
 * </ol>
 */
final class GroupRoles {
  final ResourceID app;
  final String uid;

  private final RolePollQueue queue;
  private List<PodRole> pods = List.of();
  private long changedAt;

  /** The time of the next, or the last, common poll of all pods. */
  private long roundAt;

  /** Whether a role has changed that is not reported yet. */
  private boolean unreported;

  private boolean initialized;

  private final PrimaryCount primaries = new PrimaryCount();
  private final SwitchoverSighting switchover = new SwitchoverSighting();

  /**
   * A pod to ask.
   *
   * @param agents the endpoint of its agent
   */
  record ReadyPod(Pod pod, AgentEndpoint agents) {}

  GroupRoles(ResourceID app, String uid, RolePollQueue queue) {
    this.app = app;
    this.uid = uid;
    this.queue = queue;
    this.changedAt = queue.now();
    this.roundAt = changedAt - RolePollIntervals.ROUND;
  }

  /**
   * Updates the group to the observed pods.
   *
   * @param group its status is used at first, so that a restart of this process changes nothing
   * @param changing whether a change runs: pods come and go, so polls are bundled
   */
  synchronized void update(List<ReadyPod> ready, Group group, boolean changing) {
    if (initialized) {
      replacePods(ready, changing);
    } else {
      initialized = true;
      initialize(ready, Optional.ofNullable(group.getStatus()));
    }
    if (switchover.isNew(group, queue.now())) {
      pollAll(queue.now());
    }
  }

  private void initialize(List<ReadyPod> ready, Optional<GroupStatus> status) {
    status
        .filter(it -> it.primary() != null || !RoleProblem.in(it.conditions()).isEmpty())
        .ifPresent(it -> primaries.expect());
    switchover.begin(status.map(GroupStatus::observedSwitchover).orElse(""));
    var nodes = status.map(GroupStatus::nodes).orElse(List.of());
    pods = ready.stream().map(this::newRole).toList();
    for (int i = 0; i < pods.size(); i++) {
      pods.get(i).role = PodRole.inStatus(ready.get(i).pod(), nodes);
    }
    if (pods.stream().allMatch(PodRole::isNamed)) {
      pods.forEach(queue::addAtRandom);
    } else {
      pollAll(changedAt);
    }
  }

  private void replacePods(List<ReadyPod> ready, boolean changing) {
    var now = ready.stream().map(this::roleOf).toList();
    if (now.size() == pods.size() && pods.containsAll(now)) {
      return;
    }
    var isRoundPending = pods.stream().anyMatch(pod -> pod.polledAt - roundAt < 0);
    pods.stream().filter(pod -> !now.contains(pod)).forEach(this::stopAsking);
    pods = now;
    changedAt = queue.now();
    var soonest = changedAt + (changing ? RolePollIntervals.ROUND : 0);
    pollAll(isRoundPending ? roundAt : Math.max(soonest, roundAt + RolePollIntervals.ROUND));
  }

  synchronized void stopPolling() {
    pods.forEach(this::stopAsking);
    pods = List.of();
  }

  private void stopAsking(PodRole pod) {
    queue.remove(pod);
    pod.stream.close();
  }

  long now() {
    return queue.now();
  }

  synchronized void collectClaims(Map<String, HeardRole> claims) {
    pods.forEach(pod -> claims.put(pod.uid, pod.claim()));
  }

  /** A pod that was the primary and is silent is not, as soon as another one says that it is. */
  synchronized void collect(Map<String, String> roles) {
    var isHeard = pods.stream().anyMatch(pod -> PrimaryCount.isPrimary(pod) && pod.misses == 0);
    pods.stream()
        .filter(PodRole::isNamed)
        .filter(pod -> !(isHeard && PrimaryCount.isPrimary(pod) && pod.misses > 0))
        .forEach(pod -> roles.put(pod.uid, pod.role));
  }

  /** From now on it should have a primary, as there is a Service for it. */
  synchronized void expectPrimary() {
    primaries.expect();
  }

  synchronized RoleState state() {
    return new RoleState(
        switchover.observed(),
        primaries.inconsistentFor(queue.now()),
        pods.stream().flatMap(pod -> pod.trouble(queue.now()).stream()).toList());
  }

  /** Records that the pod is polled now, and returns the time. */
  synchronized long beginPoll(PodRole pod) {
    pod.polledAt = queue.now();
    return pod.polledAt;
  }

  /**
   * Records an answer; without an answer the role stays as last known.
   *
   * @return whether to report a change: only after all pods of a common poll are done
   */
  synchronized boolean endPoll(PodRole pod, long polledAt, Optional<ReportedRole> reported) {
    if (!pods.contains(pod)) {
      return false;
    }
    var now = queue.now();
    pod.answeredPollAt = polledAt;
    unreported |= records(pod, polledAt, reported.map(pod::withTerm), now);
    unreported |= observesSwitchover() | becomesInconsistent(now);
    queue.put(pod, isInRound(pod) ? roundAt : now + untilNext(pod, now));
    if (!unreported || pods.stream().anyMatch(this::isInRound)) {
      return false;
    }
    unreported = false;
    if (!PrimaryCount.isOne(pods)) {
      changedAt = now;
      pollAll(now + RolePollIntervals.SOON);
    }
    return true;
  }

  /** What a pod has said meanwhile by its stream is newer than its answer. */
  private boolean records(PodRole pod, long polledAt, Optional<ReportedRole> said, long now) {
    return !pod.stream.wasHeardSince(polledAt) && pod.record(said, now);
  }

  /**
   * Records what a pod says by its stream; without a role, the last one stays.
   *
   * @return whether to report a change: at once, as the others say by themselves what they are;
   *     those that do not are polled
   */
  synchronized boolean said(
      PodRole pod, RoleStreams.Listener from, Optional<ReportedRole> reported) {
    var now = queue.now();
    if (!pods.contains(pod) || !pod.stream.isHeardFrom(from, now)) {
      return false;
    }
    var news = pod.record(reported, now);
    if (reported.isPresent()) {
      pod.answeredPollAt = now;
    }
    if (news) {
      pods.stream().filter(other -> !other.stream.isLive()).forEach(it -> queue.put(it, now));
    }
    return news | observesSwitchover() | becomesInconsistent(now);
  }

  /** The stream of a pod has ended, so the pod is polled. */
  synchronized void streamEnded(PodRole pod, RoleStreams.Listener from, boolean unsupported) {
    var wasOpen = pod.stream.ended(from, unsupported, queue.now());
    if (wasOpen && pods.contains(pod)) {
      queue.put(pod, queue.now() + RolePollIntervals.SOON);
    }
  }

  /** Whether to open a stream to the pod now, as it has answered and there is none. */
  synchronized boolean beginsStream(PodRole pod, RoleStreams.Listener listener) {
    return pods.contains(pod) && pod.isHeard() && pod.stream.begins(listener, queue.now());
  }

  synchronized void keepStream(
      PodRole pod, RoleStreams.Listener listener, Optional<RoleStreams.Stream> opened) {
    pod.stream.keep(listener, opened);
  }

  /** Whether there is no need to poll the pod now, as its stream lives and no common poll waits. */
  synchronized boolean skipsPoll(PodRole pod) {
    var now = queue.now();
    if (pod.stream.isSilent(now)) {
      pod.stream.drop();
    }
    if (!pods.contains(pod) || !pod.stream.isLive() || isInRound(pod)) {
      return false;
    }
    queue.put(pod, now + PodStream.SILENCE);
    return true;
  }

  /** Whether the common poll of the group still waits for this pod. */
  private boolean isInRound(PodRole pod) {
    return pod.answeredPollAt - roundAt < 0;
  }

  private long untilNext(PodRole pod, long now) {
    if (pod.stream.isLive()) {
      return PodStream.SILENCE;
    }
    if (pod.misses > 0) {
      return RolePollIntervals.afterMisses(pod.misses);
    }
    if (!pod.isNamed()) {
      return RolePollIntervals.SELDOM;
    }
    if (!PrimaryCount.isOne(pods)) {
      return RolePollIntervals.unsettledFor(now - changedAt);
    }
    if (!pod.trouble.isEmpty()) {
      return RolePollIntervals.unsettledFor(now - pod.troubledSince);
    }
    return PrimaryCount.isPrimary(pod)
        ? RolePollIntervals.quiet(queue.size())
        : RolePollIntervals.replica(queue.size());
  }

  /** It is not known before all pods of a common poll are done. */
  private boolean becomesInconsistent(long now) {
    return pods.stream().noneMatch(this::isInRound) && primaries.turns(pods, now);
  }

  private boolean observesSwitchover() {
    return PrimaryCount.isOne(pods)
        && pods.stream().filter(PrimaryCount::isPrimary).anyMatch(switchover::observe);
  }

  private void pollAll(long at) {
    roundAt = at;
    pods.forEach(pod -> queue.put(pod, at));
  }

  private PodRole roleOf(ReadyPod ready) {
    var pod = ready.pod();
    for (PodRole known : pods) {
      if (known.is(pod.getMetadata().getUid(), pod.getStatus().getPodIP())) {
        known.agents = ready.agents();
        return known;
      }
    }
    return newRole(ready);
  }

  private PodRole newRole(ReadyPod pod) {
    var added = new PodRole(this, pod);
    added.polledAt = queue.now() - 1;
    added.answeredPollAt = added.polledAt;
    return added;
  }
}
