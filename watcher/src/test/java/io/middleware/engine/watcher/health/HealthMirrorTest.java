package io.middleware.engine.watcher.health;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.component;
import static io.middleware.engine.watcher.Objects.crashed;
import static io.middleware.engine.watcher.Objects.group;
import static io.middleware.engine.watcher.Objects.pod;
import static io.middleware.engine.watcher.Objects.ready;
import static io.middleware.engine.watcher.Objects.running;
import static io.middleware.engine.watcher.Objects.spec;
import static io.middleware.engine.watcher.Objects.status;
import static io.middleware.engine.watcher.Objects.unfinished;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Node;
import io.middleware.engine.api.RunState;
import io.middleware.engine.watcher.FakeClock;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HealthMirrorTest {
  private static final AppStatus DONE = status(7L, 7L, change(7, "Succeeded"));
  private static final AppStatus CHANGING = status(7L, 8L, running(8, "8-versionupgrade-nodes"));

  private final FakeStatuses cluster = new FakeStatuses();
  private final FakeClock clock = new FakeClock();
  private final HealthMirror mirror =
      new HealthMirror(
          cluster, WriteDelays.DEFAULT, "", (app, id, warning, reason, note) -> {}, clock);

  private final Pod first = ready(pod("nodes", "shard-0", "cache-nodes-shard-0-0"));
  private final Pod second = ready(pod("nodes", "shard-0", "cache-nodes-shard-0-1"));
  private final Pod crashed = crashed(pod("nodes", "shard-0", "cache-nodes-shard-0-1"));

  HealthMirrorTest() {
    cluster.app = twoReplicas(app(7, DONE));
    cluster.component = component("nodes", 1);
    cluster.group = group("nodes", "shard-0", 2, RunState.RUNNING);
  }

  private static App twoReplicas(App app) {
    app.setSpec(spec(RunState.RUNNING, 2));
    return app;
  }

  @Test
  void shouldWriteGroupsFirstAndTheAppLast() {
    // When
    mirror.mirror(cluster.with(first, second, third()));

    // Then
    assertThat(cluster.writes)
        .containsExactly(
            "cache-nodes-shard-0 2/2 [cache-nodes-shard-0-0, cache-nodes-shard-0-1,"
                + " cache-nodes-shard-0-2]",
            "cache-nodes 2/2",
            "cache 2/2");
  }

  /** A template may make more pods than the App asks for. */
  @Test
  void shouldListOnlyAsManyPodsAsAStatusHolds() {
    // Given
    var pods =
        IntStream.range(0, 2001)
            .mapToObj(it -> ready(pod("nodes", "shard-0", "cache-nodes-shard-0-" + it)))
            .toArray(Pod[]::new);
    // When
    mirror.mirror(cluster.with(pods));
    // Then
    assertThat(cluster.group.getStatus().nodes()).hasSize(1000);
    assertThat(cluster.group.getStatus().notListed()).isEqualTo(1001);
  }

  @Test
  void shouldWriteNothingTwice() {
    // Given
    mirror.mirror(cluster.with(first, second));
    cluster.writes.clear();

    // When
    clock.pass(Duration.ofMinutes(1));
    var again = mirror.mirror(cluster.with(first, second));

    // Then
    assertThat(cluster.writes).isEmpty();
    assertThat(again).isEmpty();
  }

  @Test
  void shouldShowACrashWithinTwoSeconds() {
    // Given
    mirror.mirror(cluster.with(first, second));
    cluster.writes.clear();

    // When
    var waited = mirrorUntilRest(first, crashed);

    // Then
    assertThat(waited).isLessThan(Duration.ofSeconds(2));
    assertThat(cluster.app.getStatus().conditions().get(0).getMessage())
        .isEqualTo("1/2 pods ready: cache-nodes-shard-0-1 CrashLoopBackOff");
    assertThat(cluster.writes).hasSize(3);
  }

  @Test
  void shouldNotShowABlink() {
    // Given
    mirror.mirror(cluster.with(first, second));
    clock.pass(Duration.ofSeconds(10));
    cluster.writes.clear();

    // When
    mirror.mirror(cluster.with(first, crashed));
    clock.pass(Duration.ofMillis(100));
    mirror.mirror(cluster.with(first, second));
    clock.pass(Duration.ofSeconds(5));
    mirror.mirror(cluster.with(first, second));

    // Then
    assertThat(cluster.writes).isEmpty();
  }

  @Test
  void shouldWriteAFlappingPodAtMostOnceASecond() {
    // Given
    mirror.mirror(cluster.with(first, second));
    cluster.writes.clear();

    // When
    for (int tenth = 0; tenth < 100; tenth++) {
      clock.pass(Duration.ofMillis(100));
      mirror.mirror(cluster.with(first, tenth / 5 % 2 == 0 ? crashed : second));
    }

    // Then
    assertThat(cluster.writes.stream().filter(write -> write.startsWith("cache ")))
        .hasSizeBetween(5, 11);
  }

  @Test
  void shouldWriteAShortChangeOnce() {
    // Given
    mirror.mirror(cluster.with(first, second));
    clock.pass(Duration.ofMinutes(1));
    cluster.writes.clear();

    // When
    cluster.app = twoReplicas(app(8, cluster.keeping(CHANGING)));
    cluster.component = unfinished(cluster.component);
    mirror.mirror(cluster.with(first, crashed));
    clock.pass(Duration.ofMillis(900));
    mirror.mirror(cluster.with(first));
    cluster.component.getMetadata().setAnnotations(null);
    cluster.app = twoReplicas(app(8, cluster.keeping(status(8L, 8L, change(8, "Succeeded")))));
    mirror.mirror(cluster.with(first, second));

    // Then
    assertThat(cluster.writes).containsExactly("cache 2/2");
    assertThat(cluster.app.getStatus().conditions().get(0).getObservedGeneration()).isEqualTo(8);
  }

  @Test
  void shouldShowALongChangeSoonAndItsPodsNowAndThen() {
    // Given
    mirror.mirror(cluster.with(first, second));
    clock.pass(Duration.ofMinutes(1));
    cluster.writes.clear();
    cluster.app = twoReplicas(app(8, cluster.keeping(CHANGING)));

    // When
    mirror.mirror(cluster.with(first, crashed));
    clock.pass(Duration.ofSeconds(1));
    mirror.mirror(cluster.with(first, crashed));
    clock.pass(Duration.ofSeconds(4));
    mirror.mirror(cluster.with(first, crashed));

    // Then
    assertThat(cluster.writes)
        .containsExactly(
            "cache 1/2",
            "cache-nodes-shard-0 1/2 [cache-nodes-shard-0-0, cache-nodes-shard-0-1]",
            "cache-nodes 1/2");
  }

  @Test
  void shouldShowANewPodAndItsRoleInOneWrite() {
    // Given
    mirrorUntilRest(first, second);
    clock.pass(Duration.ofMinutes(1));
    cluster.writes.clear();

    // When
    mirror.mirror(cluster.with(Map.of(uid(first), "primary"), first, third()));
    clock.pass(Duration.ofMillis(20));
    mirror.mirror(
        cluster.with(Map.of(uid(first), "primary", uid(third()), "replica"), first, third()));

    // Then
    assertThat(cluster.writes).hasSize(1);
    assertThat(cluster.group.getStatus().nodes())
        .extracting(Node::role)
        .containsExactly("primary", "replica");
  }

  @Test
  void shouldNotWaitForARoleForLong() {
    // Given
    mirrorUntilRest(first, second);
    clock.pass(Duration.ofMinutes(1));

    // When
    var waited = mirrorUntilRest(Map.of(), first, third());

    // Then
    assertThat(waited).isLessThan(Duration.ofSeconds(3));
    assertThat(cluster.group.getStatus().nodes()).extracting(Node::role).containsOnlyNulls();
  }

  @Test
  void shouldShowReadinessAtOnce() {
    // Given
    mirrorUntilRest(first, crashed);
    clock.pass(Duration.ofMinutes(1));
    cluster.writes.clear();

    // When
    mirror.mirror(cluster.with(Map.of(), first, second));

    // Then
    assertThat(cluster.writes).hasSize(3).last().isEqualTo("cache 2/2");
  }

  @Test
  void shouldLeaveAloneWhatIsBeingDeleted() {
    // Given
    cluster.group.getMetadata().setDeletionTimestamp("2026-11-21T10:00:00Z");
    cluster.component.getMetadata().setDeletionTimestamp("2026-11-21T10:00:00Z");

    // When
    mirrorUntilRest(first, second);

    // Then
    assertThat(cluster.writes).containsExactly("cache 2/2");
  }

  private static Pod third() {
    return ready(pod("nodes", "shard-0", "cache-nodes-shard-0-2"));
  }

  private Duration mirrorUntilRest(Pod... pods) {
    return mirrorUntilRest(() -> cluster.with(pods));
  }

  private Duration mirrorUntilRest(Map<String, String> roles, Pod... pods) {
    return mirrorUntilRest(() -> cluster.with(roles, pods));
  }

  private Duration mirrorUntilRest(Supplier<AppObservation> seen) {
    var waited = Duration.ZERO;
    for (var next = mirror.mirror(seen.get()); next.isPresent(); next = mirror.mirror(seen.get())) {
      waited = waited.plus(next.get());
      clock.pass(next.get());
    }
    return waited;
  }

  private static String uid(Pod pod) {
    return pod.getMetadata().getUid();
  }
}
