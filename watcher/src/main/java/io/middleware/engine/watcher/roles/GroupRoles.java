package io.middleware.engine.watcher.roles;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.Node;
import io.middleware.engine.api.Role;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The roles of one group's ready pods. A role moves when a pod comes or goes, so then all are asked
 * together; by itself it moves seldom, so of a group that has settled the primary is asked now and
 * then, and the others hardly ever: who took over is not found before who lost the role.
 */
final class GroupRoles {
  final ResourceID app;
  final String uid;

  private final RolePollQueue agenda;
  private List<PodRole> pods = List.of();
  private long movedAt;

  /** When all are asked, or were last. */
  private long roundAt;

  /** Whether there is news that nobody has been told. */
  private boolean untold;

  private boolean seen;
  private AgentEndpoint at = AgentEndpoint.NONE;

  GroupRoles(ResourceID app, String uid, RolePollQueue agenda) {
    this.app = app;
    this.uid = uid;
    this.agenda = agenda;
    this.movedAt = agenda.now();
    this.roundAt = movedAt - RolePollIntervals.ROUND;
  }

  /**
   * The group as it is.
   *
   * @param agents where its agents listen
   * @param shown what its status says: believed at first, as after a start of this process nothing
   *     has moved
   * @param changing pods come and go all the time, and are asked together
   */
  synchronized void see(List<Pod> ready, AgentEndpoint agents, List<Node> shown, boolean changing) {
    at = agents;
    if (seen) {
      see(ready, changing);
    } else {
      seen = true;
      believe(ready, shown);
    }
  }

  private void believe(List<Pod> ready, List<Node> shown) {
    pods = ready.stream().map(this::unknown).toList();
    for (int i = 0; i < pods.size(); i++) {
      pods.get(i).role = shown(ready.get(i), shown);
    }
    if (pods.stream().allMatch(PodRole::isNamed)) {
      pods.forEach(agenda::addAtRandom);
    } else {
      askAll(movedAt);
    }
  }

  private void see(List<Pod> ready, boolean changing) {
    var now = ready.stream().map(this::known).toList();
    if (now.size() == pods.size() && pods.containsAll(now)) {
      return;
    }
    var isRoundAhead = pods.stream().anyMatch(pod -> pod.askedAt - roundAt < 0);
    pods.stream().filter(pod -> !now.contains(pod)).forEach(agenda::remove);
    pods = now;
    movedAt = agenda.now();
    var soonest = movedAt + (changing ? RolePollIntervals.ROUND : 0);
    askAll(isRoundAhead ? roundAt : Math.max(soonest, roundAt + RolePollIntervals.ROUND));
  }

  synchronized void leave() {
    pods.forEach(agenda::remove);
    pods = List.of();
  }

  long now() {
    return agenda.now();
  }

  synchronized AgentEndpoint at() {
    return at;
  }

  synchronized void tell(Map<String, String> roles) {
    pods.stream().filter(PodRole::isNamed).forEach(pod -> roles.put(pod.uid, pod.role));
  }

  /** The pod is being asked; answers when it began. */
  synchronized long ask(PodRole pod) {
    pod.askedAt = agenda.now();
    return pod.askedAt;
  }

  /**
   * Takes an answer in, or that there was none: then the role stays as last heard.
   *
   * @return whether there is news to tell: not before all have been heard that are asked together
   */
  synchronized boolean hear(PodRole pod, long askedAt, Optional<String> said) {
    if (!pods.contains(pod)) {
      return false;
    }
    pod.heardAt = askedAt;
    var before = pod.isNamed() ? pod.role : "";
    pod.misses = said.isPresent() ? 0 : pod.misses + 1;
    said.ifPresent(role -> pod.role = role);
    var moved = said.isPresent() && !said.get().equals(before);
    untold |= moved;
    var now = agenda.now();
    agenda.put(pod, isAwaited(pod) ? roundAt : now + untilNext(pod, now));
    if (!untold || pods.stream().anyMatch(this::isAwaited)) {
      return false;
    }
    untold = false;
    if (!hasOnePrimary()) {
      movedAt = now;
      askAll(now + RolePollIntervals.SOON);
    }
    return true;
  }

  /** What it last said is older than when all of the group were, or are, to be asked. */
  private boolean isAwaited(PodRole pod) {
    return pod.heardAt - roundAt < 0;
  }

  private long untilNext(PodRole pod, long now) {
    if (pod.misses > 0) {
      return RolePollIntervals.afterMisses(pod.misses);
    }
    if (!pod.isNamed()) {
      return RolePollIntervals.SELDOM;
    }
    if (!hasOnePrimary()) {
      return RolePollIntervals.unsettledFor(now - movedAt);
    }
    return isPrimary(pod) ? RolePollIntervals.quiet(agenda.size()) : RolePollIntervals.SELDOM;
  }

  private boolean hasOnePrimary() {
    return pods.stream().filter(GroupRoles::isPrimary).count() == 1;
  }

  private static boolean isPrimary(PodRole pod) {
    return Role.PRIMARY.equals(pod.role);
  }

  private void askAll(long at) {
    roundAt = at;
    pods.forEach(pod -> agenda.put(pod, at));
  }

  private PodRole known(Pod pod) {
    var meta = pod.getMetadata();
    for (PodRole known : pods) {
      if (known.is(meta.getUid(), pod.getStatus().getPodIP())) {
        return known;
      }
    }
    return unknown(pod);
  }

  private PodRole unknown(Pod pod) {
    var unknown = new PodRole(this, pod);
    unknown.askedAt = agenda.now() - 1;
    unknown.heardAt = unknown.askedAt;
    return unknown;
  }

  private static String shown(Pod pod, List<Node> shown) {
    return shown.stream()
        .filter(node -> pod.getMetadata().getName().equals(node.pod()))
        .filter(node -> pod.getStatus().getPodIP().equals(node.ip()))
        .filter(node -> node.role() != null)
        .map(Node::role)
        .findFirst()
        .orElse(null);
  }
}
