package io.middleware.engine.watcher.roles;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** A ready pod's role as last heard, and when to ask again; guarded by its group. */
final class PodRole implements Delayed {
  final GroupRoles group;
  final String name;
  final String uid;
  final String ip;

  /** Not yet known while null; empty when the middleware knows none. */
  String role;

  /** Questions without an answer since the last one with. */
  int misses;

  /** When it was last asked. */
  long askedAt;

  /** When it was asked what it has answered last, or has left without an answer. */
  long heardAt;

  /** Never moved while the pod waits in the agenda. */
  long due;

  PodRole(GroupRoles group, Pod pod) {
    this.group = group;
    this.name = pod.getMetadata().getName();
    this.uid = pod.getMetadata().getUid();
    this.ip = pod.getStatus().getPodIP();
  }

  boolean is(String otherUid, String otherIp) {
    return uid.equals(otherUid) && ip.equals(otherIp);
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
