package io.middleware.engine.activities.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskChecks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which tasks of a change checks follow, and whether they can be carried out. */
class PlannedChecksTest {
  private static final Map<String, Object> UPGRADE =
      Map.of("spec.runtime", Map.of("name", "redis", "version", "7.2"));
  private static final String APP_CHECKS = "spec.components.0.checks";
  private static final String PLUGIN_CHECKS = "spec.componentTypes.0.checks";

  @Test
  void shouldFollowTheTasksOfTheComponentOnly() {
    // When
    var tasks = tasks(UPGRADE, Map.of(PLUGIN_CHECKS, List.of(check("in-sync", Map.of()))));
    // Then
    assertThat(tasks)
        .extracting(ChangeTask::component, ChangeTask::checks)
        .containsExactly(
            tuple("sentinel", Optional.empty()),
            tuple("redis-nodes", Optional.of(new TaskChecks(List.of("in-sync"), List.of()))));
  }

  @Test
  void shouldFollowOnlyTheTypesThatTheyNameAndWhereTheySay() {
    // Given
    var checks =
        List.of(
            check("upgraded", Map.of("changeTypes", List.of("VersionUpgrade"))),
            check("configured", Map.of("changeTypes", List.of("Config"))),
            check("complete", Map.of("after", "Task")));
    // When
    var tasks = tasks(UPGRADE, Map.of(PLUGIN_CHECKS, checks));
    // Then
    assertThat(ofNodes(tasks)).contains(new TaskChecks(List.of("upgraded"), List.of("complete")));
  }

  @Test
  void shouldTakeTheChecksOfTheAppOverThoseOfThePlugin() {
    // Given
    var app =
        Map.of(
            "spec.runtime",
            UPGRADE.get("spec.runtime"),
            APP_CHECKS,
            List.of(check("in-sync", Map.of("after", "Task")), check("own", Map.of())));
    // When
    var tasks = tasks(app, Map.of(PLUGIN_CHECKS, List.of(check("in-sync", Map.of()))));
    // Then
    assertThat(ofNodes(tasks)).contains(new TaskChecks(List.of("own"), List.of("in-sync")));
  }

  @Test
  void shouldNotFollowAChangeWithoutPods() {
    // Given
    var app = Map.of("spec.runtime", UPGRADE.get("spec.runtime"), "spec.state", "Stopped");
    // When
    var tasks = tasks(app, Map.of(PLUGIN_CHECKS, List.of(check("in-sync", Map.of()))));
    // Then
    assertThat(tasks).extracting(ChangeTask::checks).containsOnly(Optional.empty());
  }

  /** It is upgraded while it has no pods, and then started. */
  @Test
  void shouldFollowTheStartOfWhatIsStopped() {
    // Given
    var checks = Map.of(PLUGIN_CHECKS, List.of(check("in-sync", Map.of())));
    var stopped = Map.of("items.0.spec.state", "Stopped", "items.1.spec.state", "Stopped");
    var fixtures =
        new Fixtures(
            Fixtures.ROOT, Map.of("app", UPGRADE, "plugin", checks, "components", stopped));
    // When
    var tasks =
        new Planner(Fixtures.POLICIES)
            .change(12, fixtures.desiredApp(), fixtures.deployed(), Optional.empty())
            .tasks();
    // Then
    assertThat(tasks)
        .filteredOn(task -> task.component().equals("redis-nodes") && task.checks().isPresent())
        .extracting(ChangeTask::type)
        .containsExactly(ChangeType.START);
  }

  @Test
  void shouldNotPlanATaskForAnEditOfChecks() {
    assertThat(tasks(Map.of(APP_CHECKS, List.of(check("own", Map.of()))), Map.of())).isEmpty();
  }

  @Test
  void shouldRefuseACheckOfTheAppThatDoesNotCompile() {
    // Given
    var app = Map.of(APP_CHECKS, List.of(broken()));
    // When Then
    assertThat(refusal(app, Map.of()))
        .contains(
            new Refusal(
                "InvalidSpec",
                "spec.components[redis-nodes].checks[broken].anyOf[1].agent.cel (1:5): undeclared"
                    + " reference to 'antwort' (in container '')"));
  }

  @Test
  void shouldRefuseACheckOfThePluginThatDoesNotCompile() {
    assertThat(refusal(Map.of(), Map.of(PLUGIN_CHECKS, List.of(broken()))))
        .contains(
            new Refusal(
                "PluginInvalid",
                "Plugin redis 1.0.0: componentTypes[redis].checks[broken].anyOf[1].agent.cel (1:5):"
                    + " undeclared reference to 'antwort' (in container '')"));
  }

  @Test
  void shouldRefuseAQuestionToAgentsThatThereAreNot() {
    // Given
    var plugin =
        Map.<String, Object>of(
            PLUGIN_CHECKS,
            List.of(
                Map.of(
                    "name",
                    "in-sync",
                    "allOf",
                    List.of(Map.of("agent", Map.of("ask", "lag", "cel", "int(answer) < 1"))))),
            "spec.agent",
            Map.of());
    // When Then
    assertThat(refusal(Map.of(), plugin))
        .contains(
            new Refusal(
                "PluginInvalid",
                "Plugin redis 1.0.0: componentTypes[redis].checks[in-sync].allOf[0].agent: Plugin"
                    + " redis 1.0.0 has no agents, which would answer"));
  }

  private static Map<String, Object> broken() {
    return Map.of(
        "name",
        "broken",
        "anyOf",
        List.of(
            Map.of("cel", "nodes.all(n, n.ready)"),
            Map.of("agent", Map.of("ask", "lag", "cel", "int(antwort) < 1"))));
  }

  private static Map<String, Object> check(String name, Map<String, Object> more) {
    var check = new HashMap<String, Object>(more);
    check.put("name", name);
    check.put("allOf", List.of(Map.of("cel", "nodes.all(n, n.ready)")));
    return check;
  }

  private static Optional<TaskChecks> ofNodes(List<ChangeTask> tasks) {
    return tasks.stream()
        .filter(task -> task.component().equals("redis-nodes"))
        .filter(task -> task.type() == ChangeType.VERSION_UPGRADE)
        .findFirst()
        .orElseThrow()
        .checks();
  }

  private static List<ChangeTask> tasks(Map<String, ?> app, Map<String, ?> plugin) {
    var fixtures = new Fixtures(Fixtures.ROOT, Map.of("app", app, "plugin", plugin));
    return new Planner(Fixtures.POLICIES)
        .change(12, fixtures.desiredApp(), fixtures.deployed(), Optional.empty())
        .tasks();
  }

  private static Optional<Refusal> refusal(Map<String, ?> app, Map<String, ?> plugin) {
    var fixtures = new Fixtures(Fixtures.ROOT, Map.of("app", app, "plugin", plugin));
    return AppValidation.refusal(fixtures.desiredApp(), fixtures.observedApp());
  }
}
