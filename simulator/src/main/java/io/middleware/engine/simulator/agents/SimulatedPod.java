package io.middleware.engine.simulator.agents;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.agent.replication.GroupMember;
import io.middleware.engine.agent.replication.GroupMember.Health;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the simulator needs to know about a pod.
 *
 * @param processIp the pod's IP while its process runs
 * @param replicaRole the role that it reports while it is not primary
 * @param lag how many bytes it says that it is behind its primary
 */
record SimulatedPod(
    GroupKey group,
    GroupMember member,
    Optional<String> processIp,
    AgentFault fault,
    String replicaRole,
    String lag) {
  /** With the value {@code true}, a ready pod becomes the primary of its group. */
  static final String PROMOTE = "agent.local.middleware.io/promote";

  /** The middleware's name for a pod that is not primary, such as {@code follower}. */
  static final String REPLICA_ROLE = "agent.local.middleware.io/replica-role";

  /** How many bytes the pod says that it is behind its primary; 0 without it. */
  static final String LAG = "agent.local.middleware.io/lag";

  private static final Set<String> STARTING_REASONS =
      Set.of("ContainerCreating", "PodInitializing");

  static SimulatedPod of(Pod pod) {
    var meta = pod.getMetadata();
    var created = Instant.parse(meta.getCreationTimestamp());
    var annotations = Optional.ofNullable(meta.getAnnotations()).orElse(Map.of());
    return new SimulatedPod(
        GroupKey.of(pod),
        new GroupMember(
            meta.getUid(),
            meta.getName(),
            created,
            health(pod),
            "true".equals(annotations.get(PROMOTE))),
        Optional.ofNullable(pod.getStatus().getPodIP()).filter(ip -> processRuns(pod)),
        AgentFault.of(annotations.getOrDefault(AgentFault.ANNOTATION, "")),
        annotations.getOrDefault(REPLICA_ROLE, ReplicationRole.REPLICA.wireName()),
        annotations.getOrDefault(LAG, "0"));
  }

  /** Empty while the process of the pod does not run or has the fault {@code dead}. */
  Optional<String> listenIp() {
    return processIp.filter(ip -> fault != AgentFault.DEAD);
  }

  Optional<AgentListener> listener() {
    return listenIp().map(ip -> new AgentListener(ip, fault == AgentFault.WRONG_CERTIFICATE));
  }

  String uid() {
    return member.uid();
  }

  private static Health health(Pod pod) {
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      return Health.TERMINATING;
    }
    if (crashed(pod)) {
      return Health.UNREADY;
    }
    if (ready(pod)) {
      return Health.READY;
    }
    return "Pending".equals(pod.getStatus().getPhase()) ? Health.STARTING : Health.UNREADY;
  }

  /** A pod that is not ready answers too, as long as its process runs. */
  private static boolean processRuns(Pod pod) {
    return "Running".equals(pod.getStatus().getPhase()) && !crashed(pod);
  }

  private static boolean ready(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
  }

  private static boolean crashed(Pod pod) {
    return pod.getStatus().getContainerStatuses().stream().anyMatch(SimulatedPod::crashed);
  }

  private static boolean crashed(ContainerStatus container) {
    var state = container.getState();
    return state != null
        && state.getWaiting() != null
        && !STARTING_REASONS.contains(String.valueOf(state.getWaiting().getReason()));
  }
}
