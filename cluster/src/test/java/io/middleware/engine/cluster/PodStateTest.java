package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodStateTest {

  @Test
  void shouldBeReadyOnlyWithTheConditionAndWithoutADeletion() {
    assertThat(SampleObjects.ready("db-0", "r").isReady()).isTrue();
    assertThat(SampleObjects.unready("db-0", "r").isReady()).isFalse();
    assertThat(new PodState(terminating().build()).isReady()).isFalse();
    assertThat(new PodState(new PodBuilder().withNewMetadata().endMetadata().build()).isReady())
        .isFalse();
  }

  @Test
  void shouldSayHowAContainerThatRestartsHasEndedBefore() {
    var pod =
        SampleObjects.pod("db-0", "r", "False")
            .editStatus()
            .addNewInitContainerStatus()
            .withNewState()
            .withNewWaiting("back-off 10s", "CrashLoopBackOff")
            .endState()
            .withNewLastState()
            .withNewTerminated()
            .withExitCode(1)
            .withMessage("the copy is damaged\n")
            .endTerminated()
            .endLastState()
            .endInitContainerStatus()
            .endStatus()
            .build();
    assertThat(new PodState(pod).trouble())
        .isEqualTo("CrashLoopBackOff: a container ended with exit code 1: the copy is damaged");
  }

  @Test
  void shouldSayWhatKeptAPodFromStartingThatIsBeingDeleted() {
    var pod =
        waiting("ImagePullBackOff", "no such image")
            .editMetadata()
            .withDeletionTimestamp("2026-01-01T00:00:00Z")
            .endMetadata();
    assertThat(new PodState(pod.build()).trouble())
        .isEqualTo(
            "is being deleted; before: "
                + "ImagePullBackOff: image r:7 of container redis: no such image");
  }

  @ParameterizedTest
  @MethodSource
  void shouldSayWhyAPodIsNotReady(PodBuilder pod, String message) {
    assertThat(new PodState(pod.build()).trouble()).isEqualTo(message);
  }

  static Stream<Arguments> shouldSayWhyAPodIsNotReady() {
    return Stream.of(
        arguments(terminating(), "is being deleted"),
        arguments(
            terminating().editMetadata().addToFinalizers("x/y").endMetadata(),
            "is being deleted, held by finalizer x/y"),
        arguments(
            waiting("ImagePullBackOff", "Back-off pulling image \"r:7\""),
            "ImagePullBackOff: image r:7 of container redis: Back-off pulling image \"r:7\""),
        arguments(unschedulable(), "Unschedulable: 0/3 nodes"),
        arguments(waiting("ContainerCreating", null), "ContainerCreating"),
        arguments(
            SampleObjects.pod("db-0", "r", "False")
                .editStatus()
                .addNewContainerStatus()
                .withNewState()
                .withNewTerminated()
                .withReason("OOMKilled")
                .withExitCode(137)
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus(),
            "OOMKilled: a container needs more memory than its limit: raise the limit"),
        arguments(
            SampleObjects.pod("db-0", "r", "False")
                .editStatus()
                .withPhase("Failed")
                .withReason("Evicted")
                .withMessage("disk")
                .endStatus(),
            "Failed: Evicted: disk"),
        arguments(
            withoutNode(), "has no node yet; a volume claim may not be bound: data-db-0, backups"),
        arguments(SampleObjects.pod("db-0", "r", "False"), "NotReady"));
  }

  private static PodBuilder withoutNode() {
    return new PodBuilder()
        .withNewMetadata()
        .withName("db-0")
        .endMetadata()
        .withNewSpec()
        .addNewVolume()
        .withNewPersistentVolumeClaim("data-db-0", false)
        .endVolume()
        .addNewVolume()
        .withNewEmptyDir()
        .endEmptyDir()
        .endVolume()
        .addNewVolume()
        .withNewPersistentVolumeClaim("backups", false)
        .endVolume()
        .endSpec()
        .withNewStatus()
        .withPhase("Pending")
        .endStatus();
  }

  private static PodBuilder unschedulable() {
    return waiting("ContainerCreating", null)
        .editStatus()
        .addNewCondition()
        .withType("PodScheduled")
        .withStatus("False")
        .withReason("Unschedulable")
        .withMessage("0/3 nodes")
        .endCondition()
        .endStatus();
  }

  private static PodBuilder terminating() {
    return SampleObjects.pod("db-0", "r", "True")
        .editMetadata()
        .withDeletionTimestamp("2026-01-01T00:00:00Z")
        .endMetadata();
  }

  private static PodBuilder waiting(String reason, String message) {
    return SampleObjects.pod("db-0", "r", "False")
        .editStatus()
        .addNewContainerStatus()
        .withName("redis")
        .withImage("r:7")
        .withNewState()
        .withNewWaiting(message, reason)
        .endState()
        .endContainerStatus()
        .endStatus();
  }
}
