package io.middleware.engine.activities.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.task.FaultKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TerminatingPodsTest {
  private static final PodState HELD = pod("db-0");

  private final List<String> deleted = new ArrayList<>();
  private final List<String> killed = new ArrayList<>();
  private final List<String> givenUp = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-20T10:00:00Z");

  @Test
  void shouldWaitAsLongAsItTakesWithoutForce() {
    // Given
    var last = last(pod -> killed.add(pod.name()));
    last.look(List.of(HELD), false);
    later(Duration.ofDays(1));
    // When
    var missing = last.look(List.of(HELD), false);
    // Then
    assertThat(missing).hasValueSatisfying(words -> assertThat(words).contains("pod db-0"));
    assertThat(killed).isEmpty();
  }

  @Test
  void shouldKillAfterGraceEachPodOnceAndThenGiveUp() {
    // Given
    var last = last(pod -> killed.add(pod.name()));
    last.look(List.of(HELD, pod("db-1")), false);
    later(Duration.ofHours(1));
    // When the force comes
    assertThat(last.look(List.of(HELD, pod("db-1")), true)).isPresent();
    later(TerminatingPods.GRACE.minusMillis(1));
    assertThat(last.look(List.of(HELD, pod("db-1")), true)).isPresent();
    assertThat(killed).isEmpty();
    later(Duration.ofMillis(1));
    assertThat(last.look(List.of(HELD, pod("db-1")), true)).isPresent();
    assertThat(last.look(List.of(HELD), true)).isPresent();
    later(TerminatingPods.LAST);
    // Then
    assertThat(last.look(List.of(HELD), true)).isEmpty();
    assertThat(killed).containsExactly("db-0", "db-1");
    assertThat(givenUp).containsExactly("db-0: not deleted yet");
  }

  @Test
  void shouldSayWhyAPodCouldNotBeKilled() {
    // Given
    var last =
        last(
            pod -> {
              throw Faults.of(FaultKind.FORBIDDEN, "delete pod: no right");
            });
    last.look(List.of(HELD), true);
    later(TerminatingPods.GRACE);
    last.look(List.of(HELD), true);
    later(TerminatingPods.LAST);
    // When
    last.look(List.of(HELD), true);
    // Then
    assertThat(givenUp).containsExactly("db-0: not deleted yet; delete pod: no right");
  }

  @Test
  void shouldDeleteWhatAStatefulSetHasLeftBehind() {
    // Given
    var orphan = made("db-0", "db-7d9");
    var bare = pod("db-1");
    var last = last(pod -> killed.add(pod.name()));
    // When
    last.look(List.of(orphan, bare), false);
    last.look(List.of(orphan, bare), false);
    // Then
    assertThat(deleted).containsExactly("db-0");
  }

  @Test
  void shouldLeavePodsToTheirOwner() {
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
    last(pod -> killed.add(pod.name())).look(List.of(owned), false);
    // Then
    assertThat(deleted).isEmpty();
  }

  private TerminatingPods last(Consumer<PodState> killer) {
    return new TerminatingPods(
        pod -> deleted.add(pod.name()),
        killer,
        (pod, why) -> givenUp.add(pod.name() + ": " + why),
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
