package io.middleware.engine.watcher.health;

import static io.middleware.engine.watcher.Objects.crashed;
import static io.middleware.engine.watcher.Objects.ready;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.middleware.engine.api.Node;
import io.middleware.engine.watcher.cache.PodCacheTransform;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodHealthTest {

  static Stream<Arguments> pods() {
    return Stream.of(
        arguments(crashed(pod()), "p CrashLoopBackOff"),
        arguments(
            withoutImage(), "p ErrImagePull: image redis:9 of container redis: no such image"),
        arguments(terminating(ready(pod())), "p is being deleted"),
        arguments(
            ended("OOMKilled"),
            "p OOMKilled: a container needs more memory than its limit: raise the limit"),
        arguments(ended("Completed"), "p NotReady"),
        arguments(
            pod().editStatus().withPhase("Failed").withReason("Evicted").endStatus().build(),
            "p Failed: Evicted"),
        arguments(
            unscheduled(),
            "p Unschedulable: 0/2 nodes are available: 1 node(s) were unschedulable"),
        arguments(onNode(pod().build()), "p NotReady (node w1)"),
        arguments(onNode(terminating(ready(pod()))), "p is being deleted (node w1)"),
        arguments(pod().editStatus().withPhase("Pending").endStatus().build(), "p Pending"),
        arguments(pod().build(), "p NotReady"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("pods")
  void shouldNameTheReasonAsKubernetesDoes(Pod pod, String problem) {
    // Given
    PodCacheTransform.reduce(pod);

    // When
    var health = new PodHealth(pod, "replica");

    // Then
    assertThat(health.isReady()).isFalse();
    assertThat(health.problem()).hasValue(problem);
  }

  @Test
  void shouldShowAReadyPodAsANode() {
    // Given
    var pod = ready(pod());
    PodCacheTransform.reduce(pod);

    // When
    var health = new PodHealth(pod, "replica");

    // Then
    assertThat(health.problem()).isEmpty();
    assertThat(health.node()).isEqualTo(new Node("p", "10.0.0.1", "replica", "r1", true));
  }

  private static PodBuilder pod() {
    return io.middleware.engine.watcher.Objects.pod("nodes", "shard-0", "p");
  }

  private static Pod terminating(Pod pod) {
    pod.getMetadata().setDeletionTimestamp("2026-11-21T10:00:00Z");
    return pod;
  }

  private static Pod withoutImage() {
    return pod()
        .editStatus()
        .addNewContainerStatus()
        .withName("redis")
        .withImage("redis:9")
        .withNewState()
        .withNewWaiting("no such image", "ErrImagePull")
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }

  private static Pod ended(String reason) {
    return pod()
        .editStatus()
        .addNewContainerStatus()
        .withNewState()
        .withNewTerminated()
        .withReason(reason)
        .endTerminated()
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }

  private static Pod onNode(Pod pod) {
    pod.setSpec(new PodSpecBuilder().withNodeName("w1").build());
    return pod;
  }

  private static Pod unscheduled() {
    return pod()
        .editStatus()
        .withPhase("Pending")
        .addNewCondition()
        .withType("PodScheduled")
        .withStatus("False")
        .withReason("Unschedulable")
        .withMessage("0/2 nodes are available: 1 node(s) were unschedulable")
        .endCondition()
        .endStatus()
        .build();
  }
}
