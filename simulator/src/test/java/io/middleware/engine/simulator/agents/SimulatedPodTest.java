package io.middleware.engine.simulator.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.middleware.engine.agent.replication.GroupMember.Health;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedPodTest {
  private static final String IP = "127.1.1.2";

  @ParameterizedTest
  @CsvSource({
    "Pending, False, , , STARTING, false",
    "Pending, False, ContainerCreating, , STARTING, false",
    "Pending, False, ImagePullBackOff, , UNREADY, false",
    "Running, True, , , READY, true",
    "Running, False, , , UNREADY, true",
    "Running, False, CrashLoopBackOff, , UNREADY, false",
    "Running, True, , 2026-01-01T00:00:09Z, TERMINATING, true",
    "Failed, False, , , UNREADY, false",
    "Succeeded, False, , , UNREADY, false",
  })
  void shouldAnswerWhileItsProcessRuns(
      String phase, String ready, String waiting, String deleted, Health health, boolean listens) {
    // Given
    var pod = pod(phase, ready, waiting, deleted);

    // When
    var simulated = SimulatedPod.of(pod);

    // Then
    assertThat(simulated.member().health()).isEqualTo(health);
    assertThat(simulated.listenIp().isPresent()).isEqualTo(listens);
  }

  @Test
  void shouldNotListenBeforeItHasAnIp() {
    var pod = pod("Running", "False", null, null);
    pod.getStatus().setPodIP(null);

    assertThat(SimulatedPod.of(pod).listenIp()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "dead, DEAD",
    "slow, SLOW",
    "unknown-pod, UNKNOWN_POD",
    "missing-pod, MISSING_POD",
    "duplicate-pod, DUPLICATE_POD",
    "huge, HUGE",
    "unavailable, UNAVAILABLE",
    "switchover-refused, SWITCHOVER_REFUSED",
    "hangs-up, HANGS_UP",
    "wrong-certificate, WRONG_CERTIFICATE",
    "switchover-slow, SWITCHOVER_SLOW",
    "switchover-hangs-up, SWITCHOVER_HANGS_UP",
    "reload-refused, RELOAD_REFUSED",
    "gremlins, NONE",
  })
  void shouldReadTheFault(String value, AgentFault fault) {
    var pod = pod("Running", "True", null, null);
    pod.getMetadata().getAnnotations().put(AgentFault.ANNOTATION, value);

    assertThat(SimulatedPod.of(pod).fault()).isEqualTo(fault);
    assertThat(SimulatedPod.of(pod).listenIp().isPresent()).isEqualTo(fault != AgentFault.DEAD);
  }

  @Test
  void shouldBePromotedByAnAnnotation() {
    var pod = pod("Running", "True", null, null);
    assertThat(SimulatedPod.of(pod).member().promoted()).isFalse();

    pod.getMetadata().getAnnotations().put(SimulatedPod.PROMOTE, "true");

    assertThat(SimulatedPod.of(pod).member().promoted()).isTrue();
  }

  @Test
  void shouldReadTheReplicaRole() {
    var pod = pod("Running", "True", null, null);
    assertThat(SimulatedPod.of(pod).replicaRole()).isEqualTo("replica");

    pod.getMetadata().getAnnotations().put(SimulatedPod.REPLICA_ROLE, "follower");

    assertThat(SimulatedPod.of(pod).replicaRole()).isEqualTo("follower");
  }

  private static Pod pod(String phase, String ready, String waiting, String deleted) {
    var container =
        waiting == null
            ? new ContainerStatusBuilder().withNewState().endState()
            : new ContainerStatusBuilder()
                .withNewState()
                .withNewWaiting()
                .withReason(waiting)
                .endWaiting()
                .endState();
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("shop")
        .withName("db-0")
        .withUid("u")
        .withCreationTimestamp("2026-01-01T00:00:00Z")
        .withDeletionTimestamp(deleted)
        .addToLabels(GroupKey.APP_LABEL, "cache")
        .endMetadata()
        .withNewStatus()
        .withPhase(phase)
        .withPodIP(IP)
        .addNewCondition()
        .withType("Ready")
        .withStatus(ready)
        .endCondition()
        .withContainerStatuses(container.build())
        .endStatus()
        .build();
  }
}
