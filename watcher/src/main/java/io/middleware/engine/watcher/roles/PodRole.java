package io.middleware.engine.watcher.roles;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.Node;
import io.middleware.engine.watcher.health.HeardRole;
import io.middleware.engine.watcher.health.RoleState.RoleTrouble;
import io.middleware.engine.watcher.roles.GroupRoles.ReadyPod;
import io.middleware.engine.watcher.roles.RoleClient.AskedPod;
import io.middleware.engine.watcher.roles.RoleClient.ReportedRole;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** A ready pod's role as last known, and when to poll again; guarded by its group. */
final class PodRole implements Delayed {
  final GroupRoles group;
  final String name;
  final String uid;
  final String ip;

  /** Where its agent listens. */
  volatile AgentEndpoint agents;

  /** Null while unknown; empty when the middleware has no role for it. */
  String role;

  /** What keeps the pod from what its role promises, as it said last; empty when nothing does. */
  String trouble = "";

  /** Since when. */
  long troubledSince;

  /** Of the newest claim to be the primary that it knows of; 0 while that is not known. */
  long term;

  /** Whether this process has heard of it; the role is that of the status otherwise. */
  boolean known;

  final PodStream stream = new PodStream();

  /** Polls without an answer since the last answer. */
  int misses;

  /** The time of the last poll. */
  long polledAt;

  /** The time of the last poll that has ended, with or without an answer. */
  long answeredPollAt;

  /** Never changed while the pod is in the queue. */
  long due;

  PodRole(GroupRoles group, ReadyPod ready) {
    var pod = ready.pod();
    this.group = group;
    this.agents = ready.agents();
    this.name = pod.getMetadata().getName();
    this.uid = pod.getMetadata().getUid();
    this.ip = pod.getStatus().getPodIP();
  }

  AskedPod asked() {
    return new AskedPod(name, uid, ip, agents);
  }

  boolean is(String otherUid, String otherIp) {
    return uid.equals(otherUid) && ip.equals(otherIp);
  }

  /** Whether its role is what it says, and not only the last one that is known. */
  boolean isHeard() {
    return known && misses == 0;
  }

  HeardRole claim() {
    return new HeardRole(role == null ? "" : role, term, isHeard());
  }

  /** What it answers to a poll, which names no term: with another role it has another one. */
  ReportedRole withTerm(ReportedRole answer) {
    return new ReportedRole(
        answer.role(), answer.trouble(), answer.role().equals(role) ? term : answer.term());
  }

  /** Records what it says, or that it says nothing; returns whether that is news. */
  boolean record(Optional<ReportedRole> said, long now) {
    if (said.isPresent()) {
      return record(said.get(), now);
    }
    misses++;
    return misses == 1 && PrimaryCount.isPrimary(this);
  }

  private boolean record(ReportedRole said, long now) {
    var before = isNamed() ? role : "";
    var news = !said.role().equals(before) || said.term() != term || misses > 0;
    role = said.role();
    term = said.term();
    known = true;
    misses = 0;
    return news | changesTrouble(said.trouble(), now);
  }

  /** Whether it has answered a poll that began then or later. */
  boolean wasHeardSince(long time) {
    return misses == 0 && answeredPollAt - time >= 0;
  }

  /** Records what the pod says now; returns whether a trouble begins or ends. */
  boolean changesTrouble(String now, long at) {
    var before = trouble;
    trouble = now;
    if (before.isEmpty()) {
      troubledSince = at;
    }
    return before.isEmpty() != now.isEmpty();
  }

  Optional<RoleTrouble> trouble(long now) {
    return trouble.isEmpty()
        ? Optional.empty()
        : Optional.of(new RoleTrouble(name, trouble, Duration.ofNanos(now - troubledSince)));
  }

  boolean isNamed() {
    return role != null && !role.isEmpty();
  }

  @Override
  public long getDelay(TimeUnit unit) {
    return unit.convert(due - group.now(), TimeUnit.NANOSECONDS);
  }

  @Override
  public int compareTo(Delayed other) {
    return Long.signum(due - ((PodRole) other).due);
  }

  /** The role of a pod as the status of its group has it; null when it has none. */
  static String inStatus(Pod pod, List<Node> nodes) {
    return nodes.stream()
        .filter(node -> pod.getMetadata().getName().equals(node.pod()))
        .filter(node -> pod.getStatus().getPodIP().equals(node.ip()))
        .filter(node -> node.role() != null)
        .map(Node::role)
        .findFirst()
        .orElse(null);
  }
}
