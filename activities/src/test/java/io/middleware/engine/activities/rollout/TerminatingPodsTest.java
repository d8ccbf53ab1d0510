package io.middleware.engine.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TerminatingPodsTest {
  private static final PodState HELD = pod("db-0");

  private final List<String> deleted = new ArrayList<>();
  private final List<String> forceDeleted = new ArrayList<>();
  private final List<String> abandoned = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-20T10:00:00Z");

  @Test
  void shouldWaitAsLongAsItTakesWithoutForce() {
    // Given
    var pods = pods(pod -> forceDeleted.add(pod.name()));
    pods.check(List.of(HELD), false);
    later(Duration.ofDays(1));
    // When
    var missing = pods.check(List.of(HELD), false);
    // Then
    assertThat(missing).hasValueSatisfying(text -> assertThat(text).contains("pod db-0"));
    assertThat(forceDeleted).isEmpty();
  }

  @Test
  void shouldForceDeleteEachPodOnceAndThenAbandonIt() {
    // Given
    var pods = pods(pod -> forceDeleted.add(pod.name()));
    pods.check(List.of(HELD, pod("db-1")), false);
    later(Duration.ofHours(1));
    // When the force comes
    assertThat(pods.check(List.of(HELD, pod("db-1")), true)).isPresent();
    later(TerminatingPods.GRACE.minusMillis(1));
    assertThat(pods.check(List.of(HELD, pod("db-1")), true)).isPresent();
    assertThat(forceDeleted).isEmpty();
    later(Duration.ofMillis(1));
    assertThat(pods.check(List.of(HELD, pod("db-1")), true)).isPresent();
    assertThat(pods.check(List.of(HELD), true)).isPresent();
    later(TerminatingPods.LAST);
    // Then
    assertThat(pods.check(List.of(HELD), true)).isEmpty();
    assertThat(forceDeleted).containsExactly("db-0", "db-1");
    assertThat(abandoned).containsExactly("db-0: not deleted yet");
  }

  @Test
  void shouldSayWhyAPodCouldNotBeDeleted() {
    // Given
    var pods =
        pods(
            pod -> {
              throw Faults.of(FaultKind.FORBIDDEN, "delete pod: no right");
            });
    pods.check(List.of(HELD), true);
    later(TerminatingPods.GRACE);
    pods.check(List.of(HELD), true);
    later(TerminatingPods.LAST);
    // When
    pods.check(List.of(HELD), true);
    // Then
    assertThat(abandoned).containsExactly("db-0: not deleted yet; delete pod: no right");
  }

  @Test
  void shouldDeleteOrphansOfAStatefulSet() {
    // Given
    var orphan = made("db-0", "db-7d9");
    var bare = pod("db-1");
    var pods = pods(pod -> forceDeleted.add(pod.name()));
    // When
    pods.check(List.of(orphan, bare), false);
    pods.check(List.of(orphan, bare), false);
    // Then
    assertThat(deleted).containsExactly("db-0");
  }

  @Test
  void shouldLeavePodsToTheirController() {
    // Given
    var owned =
        new PodState(
            new PodBuilder(made("db-0", "db-7d9").pod())
                .editMetadata()
                .addNewOwnerReference()
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build());
    // When
    pods(pod -> forceDeleted.add(pod.name())).check(List.of(owned), false);
    // Then
    assertThat(deleted).isEmpty();
  }

  private TerminatingPods pods(Consumer<PodState> forceDeleter) {
    return new TerminatingPods(
        pod -> deleted.add(pod.name()),
        forceDeleter,
        (pod, why) -> abandoned.add(pod.name() + ": " + why),
        () -> now);
  }

  private void later(Duration time) {
    now = now.plus(time);
  }

  private static PodState made(String name, String revision) {
    return new PodState(
        new PodBuilder(pod(name).pod())
            .editMetadata()
            .addToLabels("controller-revision-hash", revision)
            .endMetadata()
            .build());
  }

  private static PodState pod(String name) {
    return new PodState(
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withUid("uid-" + name)
            .endMetadata()
            .build());
  }
}
