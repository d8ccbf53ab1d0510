package io.middleware.engine.render.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.middleware.engine.api.plugin.PodSecurity;
import io.middleware.engine.render.Trees;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OutputGuardTest {
  private static final GuardFacts FACTS =
      new GuardFacts(
          "shop",
          new OwnerLabels("cache", "redis-nodes", "shard-0", "redis-v1.0.0"),
          "cache-account",
          new PluginGrants(
              Set.of(
                  new ObjectKind("monitoring.coreos.com/v1", "ServiceMonitor"),
                  new ObjectKind("v1", "Pod"),
                  new ObjectKind("middleware.io/v1", "App"),
                  new ObjectKind("rbac.authorization.k8s.io/v1", "ClusterRole")),
              PodSecurity.BASELINE));

  private final OutputGuard guard = new OutputGuard();

  /** The table of {@code guard/refused.yaml}: objects, and the violations they are refused for. */
  static Stream<Arguments> refused() {
    return table("refused.yaml");
  }

  /** The table of {@code guard/passed.yaml}: objects, and what is written of them. */
  static Stream<Arguments> passed() {
    return table("passed.yaml");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void shouldRefuse(String rule, List<Map<String, Object>> objects, List<String> violations) {
    // When
    var verdict = guard.inspect(objects, FACTS);
    // Then
    assertThat(violations(verdict)).containsExactlyElementsOf(violations);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("passed")
  void shouldForceItsFieldsInto(
      String story, List<Map<String, Object>> objects, List<Map<String, Object>> written) {
    // Given
    var before = objects.toString();
    // When
    var verdict = guard.inspect(objects, FACTS);
    // Then
    assertThat(violations(verdict)).isEmpty();
    assertThat(objects(verdict))
        .extracting(RenderedObject::tree)
        .containsExactlyElementsOf(written);
    assertThat(objects).as("what was handed in").hasToString(before);
  }

  /**
   * The table of {@code guard/restricted.yaml}: what a plugin that says Restricted makes of pods.
   */
  static Stream<Arguments> restricted() {
    return table("restricted.yaml");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("restricted")
  void shouldMakePodsRestricted(String story, List<Map<String, Object>> objects, List<?> then) {
    // Given
    var facts =
        new GuardFacts(
            "shop", FACTS.labels(), "", new PluginGrants(Set.of(), PodSecurity.RESTRICTED));
    // When
    var verdict = guard.inspect(objects, facts);
    // Then
    if (then.getFirst() instanceof String) {
      assertThat(violations(verdict)).isEqualTo(then);
    } else {
      assertThat(violations(verdict)).isEmpty();
      assertThat(objects(verdict))
          .filteredOn(object -> !object.kind().kind().equals("ServiceAccount"))
          .extracting(object -> Trees.tree(podTemplate(object.tree()).get("spec")))
          .isEqualTo(then);
    }
  }

  /** A Service that is named redis would set REDIS_PORT in all pods. */
  @Test
  void shouldKeepVariablesOfServicesOutOfPodsUnlessTheTemplateAsksForThem() {
    // Given
    var asking =
        Trees.one(
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: db}
            spec: {template: {spec: {enableServiceLinks: true, containers: [{name: db, image: db}]}}}
            """);
    // When
    var verdict = guard.inspect(List.of(workload("StatefulSet"), asking), FACTS);
    // Then
    assertThat(violations(verdict)).isEmpty();
    assertThat(objects(verdict))
        .extracting(object -> object.kind().kind(), object -> links(object.tree()))
        .containsExactlyInAnyOrder(tuple("StatefulSet", false), tuple("Deployment", true));
  }

  /** Otherwise nobody reads why a container has ended. */
  @ParameterizedTest
  @CsvSource({
    "'', FallbackToLogsOnError",
    "'enableServiceLinks: true, ',",
    "'initContainers: [{name: a, image: a, terminationMessagePolicy: File}], ',"
  })
  void shouldHaveTheLastLinesOfContainersToldUnlessTheTemplateDecidesIt(String given, String then) {
    // Given
    var workload =
        Trees.one(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: db}
            spec: {template: {spec: {%scontainers: [{name: db, image: db}]}}}
            """
                .formatted(given));
    // When
    var spec =
        Trees.tree(
            podTemplate(objects(guard.inspect(List.of(workload), FACTS)).getFirst().tree())
                .get("spec"));
    // Then
    assertThat(
            Trees.tree(((List<?>) spec.get("containers")).getFirst())
                .get("terminationMessagePolicy"))
        .isEqualTo(then);
  }

  private static Object links(Map<String, Object> workload) {
    return Trees.tree(podTemplate(workload).get("spec")).get("enableServiceLinks");
  }

  @Test
  void shouldMarkPodsByWhatTakesTheirRestart() {
    // Given
    var facts =
        new GuardFacts(
            "shop",
            FACTS.labels(),
            "",
            new PluginGrants(Set.of(), null),
            new ConfigurationHashes("cold-values", "all-values"),
            null,
            PodPlacement.NONE);
    // When
    var verdict = guard.inspect(List.of(workload("StatefulSet"), workload("Deployment")), facts);
    // Then
    assertThat(violations(verdict)).isEmpty();
    assertThat(objects(verdict))
        .extracting(object -> object.kind().kind(), object -> marks(object.tree()))
        .containsExactlyInAnyOrder(
            tuple("StatefulSet", Map.of("middleware.io/configuration", "cold-values")),
            tuple("Deployment", Map.of("middleware.io/configuration", "all-values")));
  }

  private static Map<String, Object> workload(String kind) {
    return Trees.one(
        """
        apiVersion: apps/v1
        kind: %s
        metadata: {name: db}
        spec: {template: {spec: {containers: [{name: db, image: db}]}}}
        """
            .formatted(kind));
  }

  private static Object marks(Map<String, Object> workload) {
    return Trees.tree(podTemplate(workload).get("metadata")).get("annotations");
  }

  private static Map<String, Object> podTemplate(Map<String, Object> workload) {
    return Trees.tree(Trees.tree(workload.get("spec")).get("template"));
  }

  @Test
  void shouldRefuseMoreThanFiftyObjects() {
    // Given
    var objects = IntStream.rangeClosed(0, 50).mapToObj(i -> configMap("c" + i, "")).toList();
    // When
    var verdict = guard.inspect(objects, FACTS);
    // Then
    assertThat(violations(verdict)).containsExactly("group: $: 51 objects; at most 50 are allowed");
    assertThat(violations(guard.inspect(objects.subList(1, 51), FACTS))).isEmpty();
  }

  @Test
  void shouldRefuseMoreThanOneMebibyte() {
    // Given
    var half = "x".repeat(OutputGuard.MAX_BYTES / 2);
    // When
    var verdict = guard.inspect(List.of(configMap("a", half), configMap("b", half)), FACTS);
    // Then
    assertThat(violations(verdict))
        .singleElement()
        .asString()
        .matches("group: \\$: 10[0-9]+ bytes of objects; at most 1 MiB is allowed");
  }

  private static Map<String, Object> configMap(String name, String content) {
    return Map.of(
        "apiVersion",
        "v1",
        "kind",
        "ConfigMap",
        "metadata",
        Map.of("name", name),
        "data",
        Map.of("content", content));
  }

  private static List<String> violations(GuardVerdict verdict) {
    return switch (verdict) {
      case GuardVerdict.PassedOutput passed -> List.of();
      case GuardVerdict.RefusedOutput(var violations) ->
          violations.stream().map(GuardViolation::toString).toList();
    };
  }

  private static List<RenderedObject> objects(GuardVerdict verdict) {
    return switch (verdict) {
      case GuardVerdict.PassedOutput(var objects) -> objects.inOrder();
      case GuardVerdict.RefusedOutput refused -> List.of();
    };
  }

  private static Stream<Arguments> table(String file) {
    var yaml = Trees.text(Trees.resources().resolve("guard").resolve(file));
    return Trees.all(yaml).stream()
        .map(row -> Arguments.of(row.get("name"), row.get("objects"), row.get("then")));
  }
}
