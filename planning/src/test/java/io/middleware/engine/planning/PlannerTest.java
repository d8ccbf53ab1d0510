package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.NoWayBack;
import io.middleware.engine.planning.validation.AppValidation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each directory below {@code plan} is a case: add one by adding files. */
class PlannerTest {
  private final Planner planner = new Planner(Fixtures.POLICIES);

  static Stream<Path> cases() throws IOException {
    try (var entries = Files.list(Fixtures.ROOT)) {
      return entries.filter(Files::isDirectory).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldPlanWhatIsExpected(Path directory) {
    // Given
    var fixtures = fixtures(directory);
    assertThat(
            AppValidation.refusal(
                fixtures.desiredApp(), fixtures.observedApp(), Fixtures.ENDPOINTS))
        .isEmpty();
    // When
    var plan = plan(12, fixtures.desiredApp(), fixtures.deployed());
    // Then
    assertThat(shown(plan)).isEqualTo(Fixtures.yaml(directory.resolve("expected.yaml")));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldFindNothingLeftToDoOnceAllTypesAreCarried(Path directory) {
    // Given
    var desiredApp = fixtures(directory).desiredApp();
    var carried =
        desiredApp.components().values().stream()
            .map(
                spec ->
                    new DeployedComponent(
                        carried(directory, spec.component()),
                        Set.of(),
                        false,
                        true,
                        false,
                        Map.of(),
                        NoWayBack.NONE))
            .toList();
    // When
    var plan = plan(13, desiredApp, carried);
    // Then
    assertThat(plan.tasks()).isEmpty();
  }

  @Test
  void shouldTakeDownInTheStopOrder() {
    // Given
    var desiredApp = fixtures(Fixtures.ROOT).desiredApp();
    // When
    var plan =
        planner.teardown(
            3,
            Optional.of(desiredApp.spec()),
            Optional.of(desiredApp.plugin()),
            Map.of("redis-nodes", size(4, 2), "sentinel", size(3, 1)));
    // Then
    assertThat(plan.deletion()).isTrue();
    assertThat(stages(plan))
        .containsExactly(List.of("3-remove-sentinel"), List.of("3-remove-redis-nodes"));
  }

  @ParameterizedTest
  @CsvSource({"3, 1, true", "50, 1, true", "51, 1, false", "4, 2, false"})
  void shouldCarryOutOneTaskOfOneSmallGroupInTheRunOfTheApp(int pods, int groups, boolean inRun) {
    // When
    var plan =
        planner.teardown(3, Optional.empty(), Optional.empty(), Map.of("a", size(pods, groups)));
    // Then
    assertThat(plan.tasks()).singleElement().matches(task -> task.inRun() == inRun);
  }

  @Test
  void shouldTakeDownOneAfterTheOtherWhenNobodyKnowsTheOrder() {
    // When
    var plan =
        planner.teardown(
            3,
            Optional.empty(),
            Optional.empty(),
            Map.of("b", Optional.empty(), "a", Optional.empty()));
    // Then
    assertThat(stages(plan)).containsExactly(List.of("3-remove-a"), List.of("3-remove-b"));
  }

  @Test
  void shouldCarryOutTheOnlyTaskAfterTheBackupInTheRunOfTheApp() {
    // Given
    var fixtures = fixtures(Fixtures.ROOT.resolve("backup-before-an-upgrade-of-one-group"));
    // When
    var plan = plan(12, fixtures.desiredApp(), fixtures.deployed());
    // Then
    assertThat(plan.tasks()).extracting(ChangeTask::inRun).containsExactly(false, true);
  }

  /** What is as the App wants it is applied anew, as it may have been edited since. */
  @Test
  void shouldTakeOverWhatADeletedAppOfTheSameNameHasLeftBehind() {
    // Given
    var fixtures =
        new Fixtures(
            Fixtures.ROOT, Map.of("app", Map.of("spec.components.0.groups.0.replicas", 4)));
    var deployed = fixtures.deployed().stream().map(DeployedComponent::asLeftBehind).toList();
    // When
    var plan = plan(1, fixtures.desiredApp(), deployed);
    // Then
    assertThat(plan.tasks())
        .extracting(ChangeTask::id, ChangeTask::description)
        .containsExactly(
            tuple("1-resources-redis-nodes", "replicas of redis-nodes/shard-0: 3 → 4"),
            tuple("1-reapply-sentinel", "take over sentinel: 1 group, 3 pods"));
  }

  @Test
  void shouldTakeOverAlsoWhereTheAppOnlyAddsOrDropsGroups() {
    // Given
    var fixtures =
        new Fixtures(
            Fixtures.ROOT, Map.of("app", Map.of("spec.components.0.groups.0.name", "shard-7")));
    var deployed = fixtures.deployed().stream().map(DeployedComponent::asLeftBehind).toList();
    // When
    var plan = plan(1, fixtures.desiredApp(), deployed);
    // Then
    assertThat(plan.tasks())
        .extracting(ChangeTask::id)
        .containsExactlyInAnyOrder(
            "1-reapply-redis-nodes",
            "1-reapply-sentinel",
            "1-provision-redis-nodes",
            "1-remove-redis-nodes");
  }

  private ChangePlan plan(
      long generation, DesiredApp desiredApp, List<DeployedComponent> deployed) {
    var backup = new PlannedBackup(desiredApp, deployed, false);
    return planner.change(generation, desiredApp, deployed, backup.change().stream().toList());
  }

  private static Optional<ComponentSize> size(int pods, int groups) {
    return Optional.of(new ComponentSize(pods, groups));
  }

  private static ComponentSpec carried(Path directory, String component) {
    var desiredApp = fixtures(directory).desiredApp();
    var desired = desiredApp.components().get(component);
    var spec =
        fixtures(directory).deployed().stream()
            .filter(one -> one.component().equals(component))
            .map(DeployedComponent::spec)
            .findFirst()
            .orElse(null);
    for (var change :
        ComponentDiff.of(desiredApp, fixtures(directory).deployed()).stream()
            .filter(one -> one.component().equals(component))
            .toList()) {
      spec = ComponentSpecs.carry(spec, desired, change.type());
    }
    return spec;
  }

  @SuppressWarnings("unchecked") // what YAML gives
  private static Fixtures fixtures(Path directory) {
    var edits = directory.resolve("edits.yaml");
    return new Fixtures(
        directory, Files.exists(edits) ? (Map<String, Object>) Fixtures.yaml(edits) : Map.of());
  }

  private static List<List<String>> stages(ChangePlan plan) {
    return plan.stages().stream()
        .map(stage -> stage.stream().map(ChangeTask::id).toList())
        .toList();
  }

  private static Map<String, Object> shown(ChangePlan plan) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("tasks", plan.tasks().stream().map(PlannerTest::shown).toList());
    shown.put("rolling", plan.rolling().batchSize() + " " + text(plan.rolling().interval()));
    return shown;
  }

  private static Map<String, Object> shown(ChangeTask task) {
    var policy = task.policy();
    return Map.of(
        "stage", task.stage(),
        "id", task.id(),
        "description", task.description(),
        "policy",
            "%s %d %s"
                .formatted(
                    text(policy.timeout()), policy.maxRetries(), text(policy.retryBackoff())));
  }

  private static String text(Duration duration) {
    if (duration.toMillisPart() > 0) {
      return duration.toMillis() + "ms";
    }
    if (duration.toSecondsPart() > 0 || duration.isZero()) {
      return duration.toSeconds() + "s";
    }
    return duration.toMinutesPart() > 0 ? duration.toMinutes() + "m" : duration.toHours() + "h";
  }
}
