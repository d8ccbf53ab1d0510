package io.middleware.engine.render.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.plugin.PodSecurity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PodPlacementTest {
  private static final String ALL =
      """
      {name: main, spread: zone, priorityClassName: databases, nodeSelector: {disk: nvme},
       tolerations: [{key: dedicated, value: databases, effect: NoSchedule}],
       topologySpreadConstraints: [{maxSkew: 2, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway}],
       imagePullSecrets: [{name: registry}], podLabels: {team: shop}, podAnnotations: {cost: "7"}}
      """;

  private final OutputGuard guard = new OutputGuard();

  @Test
  void shouldGiveAllOfItToThePodsOfAGroup() {
    // When
    var pods = passed(ALL, "StatefulSet", "{spec: {containers: []}}");
    // Then
    assertThat(pods)
        .isEqualTo(
            tree(
                """
                metadata:
                  labels: {team: shop, middleware.io/app: cache, middleware.io/component: nodes, middleware.io/group: main, middleware.io/plugin: redis-v1}
                  annotations: {cost: "7"}
                spec:
                  containers: []
                  enableServiceLinks: false
                  priorityClassName: databases
                  nodeSelector: {disk: nvme}
                  tolerations: [{key: dedicated, value: databases, effect: NoSchedule}]
                  imagePullSecrets: [{name: registry}]
                  topologySpreadConstraints:
                  - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, nodeTaintsPolicy: Honor,
                     labelSelector: {matchLabels: {middleware.io/app: cache, middleware.io/component: nodes, middleware.io/group: main}}}
                  - {maxSkew: 2, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway,
                     labelSelector: {matchLabels: {middleware.io/app: cache, middleware.io/component: nodes, middleware.io/group: main}}}
                """));
  }

  @Test
  void shouldAddToWhatTheTemplateHas() {
    // When
    var pods =
        passed(
            "{tolerations: [{key: a}, {key: b}], nodeSelector: {disk: nvme}, podLabels: {team: shop}}",
            "Deployment",
            "{metadata: {labels: {tier: data, team: shop}}, spec: {tolerations: [{key: a}], nodeSelector: {os: linux}}}");
    // Then
    assertThat(pods)
        .extracting("spec.tolerations", "spec.nodeSelector", "metadata.labels.tier")
        .containsExactly(
            List.of(Map.of("key", "a"), Map.of("key", "b")),
            Map.of("os", "linux", "disk", "nvme"),
            "data");
  }

  @Test
  void shouldNotOverrideWhatTheTemplateSays() {
    // When
    var verdict =
        inspect(
            "{priorityClassName: low, nodeSelector: {os: windows}, podLabels: {team: shop}, podAnnotations: {cost: \"7\"}}",
            "StatefulSet",
            "{metadata: {labels: {team: bank}, annotations: {cost: \"8\"}}, spec: {priorityClassName: high, nodeSelector: {os: linux}}}");
    // Then
    assertThat(verdict)
        .isInstanceOfSatisfying(
            GuardVerdict.RefusedOutput.class,
            refused ->
                assertThat(refused.violations())
                    .extracting(GuardViolation::path, GuardViolation::message)
                    .extracting(Object::toString)
                    .containsExactly(
                        "(\"spec.template.metadata.labels.team\", \"the Plugin sets it to bank: remove it from podLabels of the group\")",
                        "(\"spec.template.metadata.annotations.cost\", \"the Plugin sets it to 8: remove it from podAnnotations of the group\")",
                        "(\"spec.template.spec.nodeSelector.os\", \"the Plugin sets it to linux: remove it from nodeSelector of the group\")",
                        "(\"spec.template.spec.priorityClassName\", \"the Plugin sets it to high: remove it from priorityClassName of the group\")"));
  }

  /** A way round the guard would be one for every App. */
  @Test
  void shouldAllowAnAppNoMoreThanATemplate() {
    // When
    var verdict =
        inspect(
            "{priorityClassName: system-node-critical, podAnnotations: {container.apparmor.security.beta.kubernetes.io/a: unconfined}}",
            "StatefulSet",
            "{spec: {}}");
    // Then
    assertThat(verdict)
        .isInstanceOfSatisfying(
            GuardVerdict.RefusedOutput.class,
            refused -> assertThat(refused.violations()).hasSize(2));
  }

  @Test
  void shouldGiveAJobOfAnActionOnlyWhatLetsItRunThere() {
    // Given
    var placement = placement(ALL);
    // When
    var job = placement.intoJob(object("Job", "{metadata: {labels: {a: b}}, spec: {}}"));
    // Then
    assertThat(job)
        .extracting("spec.template")
        .isEqualTo(
            tree(
                """
                {metadata: {labels: {a: b}}, spec: {priorityClassName: databases, nodeSelector: {disk: nvme}, imagePullSecrets: [{name: registry}],
                 tolerations: [{key: dedicated, value: databases, effect: NoSchedule}]}}
                """));
  }

  private Object passed(String group, String kind, String template) {
    return switch (inspect(group, kind, template)) {
      case GuardVerdict.PassedOutput(var objects) -> {
        var spec = (Map<?, ?>) objects.inOrder().getFirst().tree().get("spec");
        yield spec.get("template");
      }
      case GuardVerdict.RefusedOutput(var violations) -> violations;
    };
  }

  private GuardVerdict inspect(String group, String kind, String template) {
    var facts =
        new GuardFacts(
            "shop",
            new OwnerLabels("cache", "nodes", "main", "redis-v1"),
            "",
            new PluginGrants(Set.of(), PodSecurity.BASELINE),
            ConfigurationHashes.NONE,
            null,
            placement(group));
    return guard.inspect(List.of(object(kind, template)), facts);
  }

  private static PodPlacement placement(String group) {
    return new PodPlacement(
        Serialization.unmarshal("---\n" + group, GroupTemplate.class).pods(),
        new OwnerLabels("cache", "nodes", "main", "redis-v1").constant());
  }

  private static Map<String, Object> object(String kind, String template) {
    var version = kind.equals("Job") ? "batch/v1" : "apps/v1";
    return tree(
        "{apiVersion: %s, kind: %s, metadata: {name: x}, spec: {template: %s}}"
            .formatted(version, kind, template));
  }

  @SuppressWarnings("unchecked") // what YAML gives
  private static Map<String, Object> tree(String yaml) {
    return Serialization.unmarshal("---\n" + yaml, Map.class);
  }
}
