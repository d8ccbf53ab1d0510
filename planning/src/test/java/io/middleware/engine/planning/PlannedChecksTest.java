package io.middleware.engine.planning;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskChecks;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.planning.validation.AppValidation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  void shouldNotFollowATaskWhereACheckStandsBeforePods() {
    // Given
    var checks = List.of(check("safe", Map.of("before", "Pod")));
    // When
    var tasks = tasks(UPGRADE, Map.of(PLUGIN_CHECKS, checks));
    // Then
    assertThat(ofNodes(tasks)).isEmpty();
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
            .change(12, fixtures.desiredApp(), fixtures.deployed(), List.of())
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "webhook | {url: https://verify.example.com/redis} | ",
        "webhook | {url: http://verify.example.com:8080/redis} | webhook.url: host verify.example.com:8080 is not in the engine's setting checks.hosts",
        "webhook | {url: ftp://verify.example.com} | webhook.url: ftp://verify.example.com is not "
            + "a valid http or https URL",
        "prometheus | {url: http://prometheus.example.com:9090, query: up{app=$(app),group=$(group)}, cel: result[0] == 1.0} | ",
        "prometheus | {url: http://prometheus.example.com, query: up, cel: result[0] == 1.0} | prometheus.url: host prometheus.example.com is not in the engine's setting checks.hosts",
        "prometheus | {query: up, cel: result[0] == 1.0} | prometheus.url: no URL given, and the "
            + "engine's setting checks.prometheusUrl is empty",
        "prometheus | {url: http://prometheus.example.com:9090, query: up{app=$(ap)}, cel: result[0] == 1.0} | prometheus.query: unknown placeholder $(ap), known are $(app), $(component), $(group), $(namespace)",
        "prometheus | {url: http://prometheus.example.com:9090, query: up, cel: result == 1.0} | prometheus.cel (1:8): found no matching overload for '_==_' applied to '(list(double), double)' (candidates: (%A0, %A0))",
      })
  void shouldRefuseWhatMayNotBeAsked(String kind, String fields, String problem) {
    // Given
    var check = Map.of("name", "asks", "allOf", List.of(Map.of(kind, fields(fields))));
    // When
    var refusal = refusal(Map.of(APP_CHECKS, List.of(check)), Map.of());
    // Then
    assertThat(refusal.map(Refusal::message))
        .isEqualTo(
            Optional.ofNullable(problem)
                .map(text -> "spec.components[redis-nodes].checks[asks].allOf[0]." + text));
  }

  private static Map<String, String> fields(String text) {
    return Stream.of(text.substring(1, text.length() - 1).split(", "))
        .map(field -> field.split(": ", 2))
        .collect(toMap(field -> field[0], field -> field[1]));
  }

  @Test
  void shouldNotKnowTheGroupOfAWholeComponent() {
    // Given
    var query =
        Map.of(
            "url",
            "http://prometheus.example.com:9090",
            "query",
            "up{group=$(group)}",
            "cel",
            "result[0] == 1.0");
    var check =
        Map.of("name", "asks", "after", "Task", "allOf", List.of(Map.of("prometheus", query)));
    // When
    var refusal = refusal(Map.of(APP_CHECKS, List.of(check)), Map.of());
    // Then
    assertThat(refusal.orElseThrow().message())
        .endsWith("unknown placeholder $(group), known are $(app), $(component), $(namespace)");
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
        .change(12, fixtures.desiredApp(), fixtures.deployed(), List.of())
        .tasks();
  }

  private static Optional<Refusal> refusal(Map<String, ?> app, Map<String, ?> plugin) {
    var fixtures = new Fixtures(Fixtures.ROOT, Map.of("app", app, "plugin", plugin));
    return AppValidation.refusal(fixtures.desiredApp(), fixtures.observedApp(), Fixtures.ENDPOINTS);
  }
}
