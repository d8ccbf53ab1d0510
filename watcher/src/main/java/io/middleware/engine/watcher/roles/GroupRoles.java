package io.middleware.engine.watcher.roles;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupStatus;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Node;
import io.middleware.engine.api.Role;
import io.middleware.engine.watcher.health.RoleProblem;
import io.middleware.engine.watcher.health.RoleState;
import io.middleware.engine.watcher.roles.RoleClient.ReportedRole;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.time.Duration;
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

  /** Whether any of its pods has ever said that it is the primary. */
  private boolean hadPrimary;

  /** Since when its pods say that there is none, or that there are several. */
  private Optional<Long> inconsistentSince = Optional.empty();

  /** The last switchover that the Group names; empty before the first one. */
  private String switchover = "";

  private long switchoverSeenAt;

  /** The last one that is observed. */
  private String observedSwitchover = "";

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
    var last = switchoverOf(group);
    if (!last.equals(switchover)) {
      switchover = last;
      switchoverSeenAt = queue.now();
      pollAll(switchoverSeenAt);
    }
  }

  private void initialize(List<ReadyPod> ready, Optional<GroupStatus> status) {
    hadPrimary =
        status
            .filter(it -> it.primary() != null || !RoleProblem.in(it.conditions()).isEmpty())
            .isPresent();
    observedSwitchover = status.map(GroupStatus::observedSwitchover).orElse("");
    switchover = observedSwitchover;
    var nodes = status.map(GroupStatus::nodes).orElse(List.of());
    pods = ready.stream().map(this::newRole).toList();
    for (int i = 0; i < pods.size(); i++) {
      pods.get(i).role = roleInStatus(ready.get(i).pod(), nodes);
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
    pods.stream().filter(pod -> !now.contains(pod)).forEach(queue::remove);
    pods = now;
    changedAt = queue.now();
    var soonest = changedAt + (changing ? RolePollIntervals.ROUND : 0);
    pollAll(isRoundPending ? roundAt : Math.max(soonest, roundAt + RolePollIntervals.ROUND));
  }

  synchronized void stopPolling() {
    pods.forEach(queue::remove);
    pods = List.of();
  }

  long now() {
    return queue.now();
  }

  /** A pod that was the primary and is silent is not, as soon as another one says that it is. */
  synchronized void collect(Map<String, String> roles) {
    var isHeard = pods.stream().anyMatch(pod -> isPrimary(pod) && pod.misses == 0);
    pods.stream()
        .filter(PodRole::isNamed)
        .filter(pod -> !(isHeard && isPrimary(pod) && pod.misses > 0))
        .forEach(pod -> roles.put(pod.uid, pod.role));
  }

  synchronized RoleState state() {
    return new RoleState(
        observedSwitchover,
        inconsistentSince.map(since -> Duration.ofNanos(queue.now() - since)),
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
    var answer = reported.map(ReportedRole::role);
    pod.answeredPollAt = polledAt;
    var before = pod.isNamed() ? pod.role : "";
    pod.misses = answer.isPresent() ? 0 : pod.misses + 1;
    answer.ifPresent(role -> pod.role = role);
    var changed = answer.isPresent() && !answer.get().equals(before);
    var now = queue.now();
    unreported |= changed | observesSwitchover() | becomesInconsistent(now);
    unreported |= reported.isPresent() && pod.changesTrouble(reported.get().trouble(), now);
    queue.put(pod, isInRound(pod) ? roundAt : now + untilNext(pod, now));
    if (!unreported || pods.stream().anyMatch(this::isInRound)) {
      return false;
    }
    unreported = false;
    if (!hasOnePrimary()) {
      changedAt = now;
      pollAll(now + RolePollIntervals.SOON);
    }
    return true;
  }

  /** Whether the common poll of the group still waits for this pod. */
  private boolean isInRound(PodRole pod) {
    return pod.answeredPollAt - roundAt < 0;
  }

  private long untilNext(PodRole pod, long now) {
    if (pod.misses > 0) {
      return RolePollIntervals.afterMisses(pod.misses);
    }
    if (!pod.isNamed()) {
      return RolePollIntervals.SELDOM;
    }
    if (!hasOnePrimary()) {
      return RolePollIntervals.unsettledFor(now - changedAt);
    }
    if (!pod.trouble.isEmpty()) {
      return RolePollIntervals.unsettledFor(now - pod.troubledSince);
    }
    return isPrimary(pod)
        ? RolePollIntervals.quiet(queue.size())
        : RolePollIntervals.replica(queue.size());
  }

  /** Whether that has changed; it is not known before all pods of a common poll are done. */
  private boolean becomesInconsistent(long now) {
    var before = inconsistentSince;
    if (pods.stream().noneMatch(this::isInRound)) {
      inconsistentSince = isInconsistent() ? before.or(() -> Optional.of(now)) : Optional.empty();
    }
    return before.isPresent() != inconsistentSince.isPresent();
  }

  /** A pod that does not answer may be anything. */
  private boolean isInconsistent() {
    var heard = pods.stream().filter(pod -> pod.role != null && pod.misses == 0).toList();
    var primaries = heard.stream().filter(GroupRoles::isPrimary).count();
    hadPrimary |= primaries > 0;
    return primaries > 1
        || (primaries == 0 && hadPrimary && !pods.isEmpty() && heard.size() == pods.size());
  }

  private boolean observesSwitchover() {
    var observed =
        !switchover.equals(observedSwitchover)
            && hasOnePrimary()
            && pods.stream().anyMatch(pod -> isPrimary(pod) && pod.wasHeardSince(switchoverSeenAt));
    if (observed) {
      observedSwitchover = switchover;
    }
    return observed;
  }

  private static String switchoverOf(Group group) {
    var annotations = group.getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(Labels.SWITCHED_OVER, "");
  }

  private boolean hasOnePrimary() {
    return pods.stream().filter(GroupRoles::isPrimary).count() == 1;
  }

  private static boolean isPrimary(PodRole pod) {
    return Role.PRIMARY.equals(pod.role);
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

  private static String roleInStatus(Pod pod, List<Node> nodes) {
    return nodes.stream()
        .filter(node -> pod.getMetadata().getName().equals(node.pod()))
        .filter(node -> pod.getStatus().getPodIP().equals(node.ip()))
        .filter(node -> node.role() != null)
        .map(Node::role)
        .findFirst()
        .orElse(null);
  }
}
