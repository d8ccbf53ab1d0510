package io.middleware.engine.watcher.health;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.component;
import static io.middleware.engine.watcher.Objects.group;
import static io.middleware.engine.watcher.Objects.pod;
import static io.middleware.engine.watcher.Objects.ready;
import static io.middleware.engine.watcher.Objects.spec;
import static io.middleware.engine.watcher.Objects.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.RunState;
import io.middleware.engine.process.pods.PodReports;
import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.health.RoleState.RoleTrouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An App with one group of the pods a and b, whose last change has succeeded. */
class RoleProblemTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Pod A = ready(pod("nodes", "shard-0", "a"));
  private static final Pod B = ready(pod("nodes", "shard-0", "b"));

  private final FakeStatuses cluster = new FakeStatuses();
  private List<RoleTrouble> troubles = List.of();
  private Duration failover = RoleState.GRACE;
  private final FakeClock clock = new FakeClock();
  private final List<String> events = new ArrayList<>();
  private final HealthMirror mirror =
      new HealthMirror(
          cluster,
          WriteDelays.DEFAULT,
          "",
          (app, id, warning, reason, note) -> events.add(reason),
          clock);

  RoleProblemTest() {
    cluster.app = app(7, status(7L, 7L, change(7, "Succeeded")));
    cluster.app.setSpec(spec(RunState.RUNNING, 2));
    cluster.component = component("nodes", 1);
    cluster.group = group("nodes", "shard-0", 2, RunState.RUNNING);
  }

  @Test
  void shouldNotBeReadyWithTwoPrimaries() {
    // When
    observe("primary", "primary", Optional.of(LONG));
    // Then
    assertThat(cluster.app.getStatus().phase()).isEqualTo("Degraded");
    assertThat(cluster.group.getStatus().primary()).isEqualTo("a, b");
    assertThat(texts(cluster.app.getStatus().conditions()))
        .containsExactly("Ready False SeveralPrimaries", "RolesInconsistent True SeveralPrimaries");
    assertThat(texts(cluster.group.getStatus().conditions()))
        .containsExactly("Ready False SeveralPrimaries", "RolesInconsistent True SeveralPrimaries");
    assertThat(cluster.app.getStatus().conditions().getLast().getMessage())
        .isEqualTo(
            "group shard-0 of nodes has 2 primaries: a, b; what is written to one of them is lost when it follows another; make all but the one whose data are to stay its replicas");
    assertThat(events).containsExactly("SeveralPrimaries");
  }

  @Test
  void shouldNotBeReadyWithoutAPrimary() {
    // When
    observe("replica", "replica", Optional.of(LONG));
    // Then
    assertThat(texts(cluster.app.getStatus().conditions()))
        .containsExactly("Ready False NoPrimary", "RolesInconsistent True NoPrimary");
    assertThat(cluster.app.getStatus().conditions().getLast().getMessage())
        .startsWith("group shard-0 of nodes has no primary, and waits until")
        .contains("a, b say that they are not");
  }

  @Test
  void shouldShowBothPrimariesAtOnceAndLookAgainWhenAnElectionWouldBeOver() {
    // When
    var next = observe("primary", "primary", Optional.of(Duration.ofSeconds(4)));
    // Then
    assertThat(cluster.group.getStatus().primary()).isEqualTo("a, b");
    assertThat(texts(cluster.app.getStatus().conditions()))
        .containsExactly("Ready True AllPodsReady");
    assertThat(next).contains(Duration.ofSeconds(11));
    assertThat(events).isEmpty();
  }

  @Test
  void shouldWaitAsLongAsThePluginSaysThatAFailoverTakes() {
    // Given
    failover = Duration.ofSeconds(30);
    // When
    var next = observe("replica", "replica", Optional.of(LONG));
    // Then
    assertThat(texts(cluster.app.getStatus().conditions()))
        .containsExactly("Ready True AllPodsReady");
    assertThat(next).contains(Duration.ofSeconds(10));
    // and after that
    observe("replica", "replica", Optional.of(Duration.ofSeconds(30)));
    assertThat(texts(cluster.app.getStatus().conditions()))
        .containsExactly("Ready False NoPrimary", "RolesInconsistent True NoPrimary");
  }

  @Test
  void shouldNotBeReadyWhenAPodCannotDoWhatItsRolePromises() {
    // Given
    troubles =
        List.of(
            new RoleTrouble("a", "refuses writes: MISCONF", LONG),
            new RoleTrouble("b", "its link is down", Duration.ofSeconds(1)));
    // When
    var next = observe("primary", "replica", Optional.empty());
    // Then
    assertThat(texts(cluster.app.getStatus().conditions()))
        .containsExactly("Ready False RoleImpaired", "RolesInconsistent True RoleImpaired");
    assertThat(cluster.app.getStatus().conditions().getLast().getMessage())
        .isEqualTo("group shard-0 of nodes: pod a: refuses writes: MISCONF");
    assertThat(next).contains(Duration.ofSeconds(14));
  }

  @Test
  void shouldTellOnceAndWhenItIsOver() {
    // Given
    observe("primary", "primary", Optional.of(LONG));
    observe("primary", "primary", Optional.of(LONG.multipliedBy(2)));
    // When
    observe("primary", "replica", Optional.empty());
    // Then
    assertThat(texts(cluster.app.getStatus().conditions()))
        .containsExactly("Ready True AllPodsReady");
    assertThat(texts(cluster.group.getStatus().conditions()))
        .containsExactly("Ready True AllPodsReady");
    assertThat(events).containsExactly("SeveralPrimaries", "RolesConsistent");
  }

  private Optional<Duration> observe(String ofA, String ofB, Optional<Duration> inconsistentFor) {
    var roles =
        new KnownRoles(
            Map.of(A.getMetadata().getUid(), ofA, B.getMetadata().getUid(), ofB),
            Map.of(
                cluster.group.getMetadata().getUid(),
                new RoleState("", inconsistentFor, failover, troubles)));
    mirror.mirror(observation(roles));
    clock.pass(Duration.ofSeconds(2)); // a write may be delayed
    return mirror.mirror(observation(roles));
  }

  private AppObservation observation(KnownRoles roles) {
    return new AppObservation(
        cluster.app,
        List.of(cluster.component),
        List.of(cluster.group),
        List.of(A, B),
        roles,
        List.of(),
        List.of(),
        List.of(),
        PodReports.NONE,
        ExistingObjects.UNKNOWN,
        List.of(),
        List.of());
  }

  private static List<String> texts(List<Condition> conditions) {
    return conditions.stream()
        .map(it -> "%s %s %s".formatted(it.getType(), it.getStatus(), it.getReason()))
        .toList();
  }
}
