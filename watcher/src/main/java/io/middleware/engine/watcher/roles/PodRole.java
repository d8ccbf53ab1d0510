package io.middleware.engine.watcher.roles;

import io.middleware.engine.watcher.health.RoleState.RoleTrouble;
import io.middleware.engine.watcher.roles.GroupRoles.ReadyPod;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.time.Duration;
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

  boolean is(String otherUid, String otherIp) {
    return uid.equals(otherUid) && ip.equals(otherIp);
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
}
