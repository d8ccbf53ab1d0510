package io.middleware.engine.watcher.health;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.awaiting;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.component;
import static io.middleware.engine.watcher.Objects.crashed;
import static io.middleware.engine.watcher.Objects.deleted;
import static io.middleware.engine.watcher.Objects.group;
import static io.middleware.engine.watcher.Objects.paused;
import static io.middleware.engine.watcher.Objects.pod;
import static io.middleware.engine.watcher.Objects.ready;
import static io.middleware.engine.watcher.Objects.running;
import static io.middleware.engine.watcher.Objects.spec;
import static io.middleware.engine.watcher.Objects.status;
import static io.middleware.engine.watcher.Objects.unfinished;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentHealth;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AppHealthTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00.123Z");
  private static final Pod GOOD = ready(pod("nodes", "shard-0", "cache-0"));
  private static final Pod BAD = crashed(pod("nodes", "shard-0", "cache-1"));
  private static final List<Pod> ALL = List.of(GOOD, GOOD, GOOD);
  private static final List<Pod> TWO = List.of(GOOD, BAD, GOOD);
  private static final String CRASH = "2/3 pods ready: cache-1 CrashLoopBackOff";

  static Stream<Arguments> held() {
    return Stream.of(
        arguments(
            paused(app(8, status(7L, 8L, running(8, null)))),
            ALL,
            "Paused 3/3 False ChangeInProgress 8 3/3 pods ready"),
        arguments(
            awaiting(app(8, status(7L, 8L, running(8, null)))),
            ALL,
            "AwaitingApproval 3/3 False ChangeInProgress 8 3/3 pods ready"),
        arguments(
            paused(app(7, status(7L, 7L, change(7, "Succeeded")))),
            ALL,
            "Running 3/3 True AllPodsReady 7 3/3 pods ready"));
  }

  static Stream<Arguments> apps() {
    var done = status(7L, 7L, change(7, "Succeeded"));
    return Stream.of(
        arguments(
            app(1),
            List.of(),
            "Provisioning 0/3 False ChangeInProgress 1 waiting for the first change: 0/3 pods ready"),
        arguments(
            app(1, status(null, 1L, running(1, "1-provision-nodes"))),
            TWO,
            "Provisioning 2/3 False ChangeInProgress 1 task 1-provision-nodes: " + CRASH),
        arguments(app(7, done), ALL, "Running 3/3 True AllPodsReady 7 3/3 pods ready"),
        arguments(app(7, done), TWO, "Degraded 2/3 False PodsNotReady 7 " + CRASH),
        arguments(app(8, done), ALL, "Running 3/3 True AllPodsReady 7 3/3 pods ready"),
        arguments(
            app(8, status(7L, 8L, running(8, null))),
            ALL,
            "Changing 3/3 False ChangeInProgress 8 3/3 pods ready"),
        arguments(
            app(8, status(8L, 8L, change(8, "Failed"))),
            ALL,
            "Failed 3/3 False ChangeFailed 8 3/3 pods ready"),
        arguments(
            app(8, status(8L, 8L, change(8, "Rejected"))),
            ALL,
            "Rejected 3/3 False ChangeRejected 8 3/3 pods ready"),
        arguments(
            app(8, status(8L, 8L, change(8, "Cancelled"))),
            ALL,
            "Running 3/3 False ChangeCancelled 8 3/3 pods ready"),
        arguments(
            app(8, status(8L, 8L, change(8, "Cancelled"))),
            TWO,
            "Degraded 2/3 False ChangeCancelled 8 " + CRASH),
        arguments(
            deleted(app(8, done)),
            TWO,
            "Deleting 2/3 False ChangeInProgress 8 being deleted: " + CRASH));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource({"apps", "held"})
  void shouldShowHowTheAppStands(App app, List<Pod> pods, String expected) {
    // Given
    var seen =
        new AppObservation(
            app,
            List.of(),
            List.of(group("nodes", "shard-0", 3, RunState.RUNNING)),
            pods,
            Map.of());

    // When
    var status = new AppHealth(app, GroupStates.of(seen), seen.components()).status(NOW);

    // Then
    assertThat(summary(status)).isEqualTo(expected);
  }

  @Test
  void shouldBeStoppedWithoutPods() {
    // Given
    var app = app(7, status(7L, 7L, change(7, "Succeeded")));
    app.setSpec(spec(RunState.STOPPED));
    var seen =
        new AppObservation(
            app,
            List.of(),
            List.of(group("nodes", "shard-0", 3, RunState.STOPPED)),
            List.of(),
            Map.of());

    // When
    var status = new AppHealth(app, GroupStates.of(seen), seen.components()).status(NOW);

    // Then
    assertThat(summary(status)).isEqualTo("Stopped 0/0 True Stopped 7 stopped: 0/0 pods ready");
  }

  /** For example of a StatefulSet that an autoscaler scales. */
  @Test
  void shouldNotBeStoppedWhilePodsRemain() {
    // Given
    var app = app(7, status(7L, 7L, change(7, "Succeeded")));
    app.setSpec(spec(RunState.STOPPED));
    var group = group("nodes", "shard-0", 3, RunState.STOPPED);
    var seen = new AppObservation(app, List.of(), List.of(group), List.of(GOOD), Map.of());

    // When
    var groups = GroupStates.of(seen);
    var status = new AppHealth(app, groups, seen.components()).status(NOW);
    var part = (Group) new PartStatuses(seen, groups, false, NOW).of(group).next();

    // Then
    assertThat(summary(status))
        .isEqualTo(
            "Degraded 0/0 False PodsRemain 7 it should be stopped: 0/0 pods ready: cache-0 still exists");
    assertThat(part.getStatus().phase()).isEqualTo("Degraded");
  }

  @Test
  void shouldMissAGroupThatIsGone() {
    // Given
    var app = app(7, status(7L, 7L, change(7, "Succeeded")));
    var seen = new AppObservation(app, List.of(), List.of(), List.of(), Map.of());

    // When
    var status = new AppHealth(app, GroupStates.of(seen), seen.components()).status(NOW);

    // Then
    assertThat(summary(status)).isEqualTo("Degraded 0/3 False PodsNotReady 7 0/3 pods ready");
    assertThat(status.components())
        .singleElement()
        .hasToString(
            "ComponentHealth[name=nodes, ready=0/3, groups=[GroupHealth[name=shard-0, ready=0/3]]]");
  }

  @Test
  void shouldNotMakeUpForAMissingPodWithOneTooManyElsewhere() {
    // Given
    var app = app(7, status(7L, 7L, change(7, "Succeeded")));
    var groups =
        List.of(
            group("nodes", "shard-0", 3, RunState.RUNNING),
            group("nodes", "shard-1", 3, RunState.RUNNING));
    var other = ready(pod("nodes", "shard-1", "cache-2"));
    var pods = List.of(GOOD, GOOD, GOOD, GOOD, other, other);

    // When
    var status =
        new AppHealth(
                app,
                GroupStates.of(new AppObservation(app, List.of(), groups, pods, Map.of())),
                List.of())
            .status(NOW);

    // Then
    assertThat(summary(status)).isEqualTo("Degraded 5/6 False PodsNotReady 7 5/6 pods ready");
    assertThat(status.components()).extracting(ComponentHealth::ready).containsExactly("5/6");
  }

  /** An old run came too late, or somebody else has written what only the engine writes. */
  static Stream<Arguments> differences() {
    var nodes = group("nodes", "shard-0", 3, RunState.RUNNING);
    var two = group("nodes", "shard-0", 2, RunState.RUNNING);
    var stopped = group("nodes", "shard-0", 3, RunState.STOPPED);
    var other = group("nodes", "shard-1", 0, RunState.RUNNING);
    var plain = component("nodes", 1);
    var old = component("nodes", 1, "0.9.0");
    return Stream.of(
        arguments(plain, List.of(two), "group shard-0 of nodes has 2 replicas, not 3", "2/2"),
        arguments(plain, List.of(stopped), "group shard-0 of nodes has 0 replicas, not 3", "0/0"),
        arguments(plain, List.of(nodes, other), "group shard-1 of nodes is not in it", "3/3"),
        arguments(old, List.of(nodes), "component nodes has another plugin", "3/3"),
        arguments(
            unfinished(component("nodes", 1)),
            List.of(nodes),
            "component nodes has an unfinished VersionUpgrade",
            "3/3"));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("differences")
  void shouldNotBeReadyWhenItIsNotAsItsSpecSays(
      Component component, List<Group> groups, String difference, String ready) {
    // Given
    var app = app(7, status(7L, 7L, change(7, "Succeeded")));
    var pods = ALL.subList(0, Character.getNumericValue(ready.charAt(0)));
    var seen = new AppObservation(app, List.of(component), groups, pods, Map.of());

    // When
    var status = new AppHealth(app, GroupStates.of(seen), seen.components()).status(NOW);

    // Then
    assertThat(summary(status))
        .isEqualTo(
            "Degraded %s False DiffersFromSpec 7 not as the App's spec says: %s; any edit of the App plans it again; %s pods ready"
                .formatted(ready, difference, ready));
    // and after any other end it may differ
    app.setStatus(status(7L, 7L, change(7, "Cancelled")));
    assertThat(new AppHealth(app, GroupStates.of(seen), seen.components()).status(NOW).phase())
        .isNotEqualTo("Degraded");
    app.setStatus(status(7L, 7L, change(7, "Succeeded")));
    // and while a newer edit has not begun, another generation's spec is not compared
    app.getMetadata().setGeneration(8L);
    assertThat(new AppHealth(app, GroupStates.of(seen), seen.components()).status(NOW).conditions())
        .singleElement()
        .satisfies(condition -> assertThat(condition.getStatus()).isEqualTo("True"));
  }

  @Test
  void shouldMirrorAnAppThatCannotBeRead() {
    // Given
    var app = app(8, status(7L, 7L, change(7, "Succeeded")));
    app.setSpec(null);
    var seen =
        new AppObservation(
            app, List.of(), List.of(group("nodes", "shard-0", 3, RunState.RUNNING)), ALL, Map.of());

    // When
    var status = new AppHealth(app, GroupStates.of(seen), seen.components()).status(NOW);

    // Then
    assertThat(summary(status)).isEqualTo("Running 3/3 True AllPodsReady 7 3/3 pods ready");
  }

  @Test
  void shouldKeepTheTimeOfAConditionThatHolds() {
    // Given
    var worker = status(7L, 7L, change(7, "Succeeded"));
    var seen = observation(app(7, worker), ALL);
    var before =
        new AppHealth(seen.app(), GroupStates.of(seen), seen.components())
            .status(NOW.minusSeconds(60));

    // When
    var good = observation(app(7, status(worker, before.conditions())), ALL);
    var bad = observation(app(7, status(worker, before.conditions())), TWO);

    // Then
    assertThat(since(good)).isEqualTo("2026-11-21T09:59:00Z");
    assertThat(since(bad)).isEqualTo("2026-11-21T10:00:00Z");
  }

  private static AppObservation observation(App app, List<Pod> pods) {
    return new AppObservation(
        app, List.of(), List.of(group("nodes", "shard-0", 3, RunState.RUNNING)), pods, Map.of());
  }

  private static String since(AppObservation seen) {
    var status = new AppHealth(seen.app(), GroupStates.of(seen), seen.components()).status(NOW);
    return status.conditions().get(0).getLastTransitionTime();
  }

  private static String summary(AppStatus status) {
    Condition ready = status.conditions().get(0);
    return String.join(
        " ",
        status.phase(),
        status.ready(),
        ready.getStatus(),
        ready.getReason(),
        ready.getObservedGeneration().toString(),
        ready.getMessage());
  }
}
