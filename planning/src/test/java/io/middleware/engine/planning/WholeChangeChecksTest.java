package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.TaskChecks;
import io.middleware.engine.api.task.WatchedChecks;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which checks are carried out beside the tasks of a change, and after all of them. */
class WholeChangeChecksTest {
  private static final Map<String, Object> UPGRADE =
      Map.of("spec.runtime", Map.of("name", "redis", "version", "7.2"));
  private static final String PLUGIN_CHECKS = "spec.componentTypes.0.checks";
  private static final Planner PLANNER = new Planner(Fixtures.POLICIES);

  @Test
  void shouldBeRepeatedBesideTheTasksOfADeployedComponent() {
    // Given
    var checks =
        List.of(
            check("serves", Map.of("during", "Change", "every", "5s")),
            check("configured", Map.of("during", "Change", "changeTypes", List.of("Config"))));
    // When
    var plan = plan(UPGRADE, Map.of(PLUGIN_CHECKS, checks), Map.of());
    // Then
    assertThat(plan.background())
        .containsExactly(new WatchedChecks("redis-nodes", List.of("serves")));
    assertThat(plan.tasks()).allMatch(task -> task.checks().isEmpty());
  }

  @Test
  void shouldNotBeRepeatedBesideTheTasksOfAStoppedComponent() {
    // Given
    var checks = Map.of(PLUGIN_CHECKS, List.of(check("serves", Map.of("during", "Change"))));
    // When
    var plan =
        plan(
            UPGRADE,
            checks,
            Map.of("items.0.spec.state", "Stopped", "items.1.spec.state", "Stopped"));
    // Then
    assertThat(plan.background()).isEmpty();
  }

  @Test
  void shouldFollowTheWholeChangeAsATaskOfTheComponentsThatItWorksOn() {
    // Given
    var checks =
        List.of(
            check("complete", Map.of("after", "Change", "within", "10m", "for", "30s")),
            check("configured", Map.of("after", "Change", "changeTypes", List.of("Config"))));
    // When
    var plan = plan(UPGRADE, Map.of(PLUGIN_CHECKS, checks), Map.of());
    // Then
    var task = plan.tasks().getLast();
    assertThat(task.id()).isEqualTo("12-check-redis-nodes");
    assertThat(task.stage()).isEqualTo(plan.stages().size() - 1);
    assertThat(plan.stages().getLast()).containsExactly(task);
    assertThat(task.checks()).contains(new TaskChecks(List.of(), List.of("complete")));
    assertThat(task.policy().timeout()).isEqualTo(Duration.ofSeconds(690));
  }

  /** Its pods are as they should be, but nobody has checked them. */
  @Test
  void shouldFollowAChangeThatHasLeftThemUndone() {
    // Given
    var checks = List.of(check("complete", Map.of("after", "Change")));
    var fixtures = fixtures(Map.of(), Map.of(PLUGIN_CHECKS, checks), Map.of());
    // When
    var plan =
        PLANNER.checked(
            PLANNER.change(12, fixtures.desiredApp(), fixtures.deployed(), List.of()),
            fixtures.desiredApp(),
            Set.of("redis-nodes"));
    // Then
    assertThat(plan.tasks()).extracting(ChangeTask::id).containsExactly("12-check-redis-nodes");
  }

  private static ChangePlan plan(Map<String, ?> app, Map<String, ?> plugin, Map<String, ?> was) {
    var fixtures = fixtures(app, plugin, was);
    return PLANNER.checked(
        PLANNER.change(12, fixtures.desiredApp(), fixtures.deployed(), List.of()),
        fixtures.desiredApp(),
        Set.of());
  }

  private static Fixtures fixtures(Map<String, ?> app, Map<String, ?> plugin, Map<String, ?> was) {
    return new Fixtures(Fixtures.ROOT, Map.of("app", app, "plugin", plugin, "components", was));
  }

  private static Map<String, Object> check(String name, Map<String, Object> more) {
    var check = new HashMap<String, Object>(more);
    check.put("name", name);
    check.put("allOf", List.of(Map.of("cel", "nodes.all(n, n.ready)")));
    return check;
  }
}
