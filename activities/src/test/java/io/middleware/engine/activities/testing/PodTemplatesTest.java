package io.middleware.engine.activities.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodTemplatesTest {
  private static final Map<String, String> VALUES =
      Map.of("test.middleware.io/inject-target-host", "cache-redis-nodes");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Job | {spec: {template: {metadata: {annotations: {a: b}}, spec: {containers: []}}}}"
            + " | {spec: {template: {metadata: {annotations: {a: b, V}}, spec: {containers: []}}}}",
        "Deployment | {spec: {template: {}}} | {spec: {template: {metadata: {annotations: {V}}}}}",
        "StatefulSet | {spec: {}} | {spec: {template: {metadata: {annotations: {V}}}}}",
        "DaemonSet | {} | {spec: {template: {metadata: {annotations: {V}}}}}",
        "CronJob | {spec: {schedule: x, jobTemplate: {spec: {template: {metadata: {labels: {a: b}}}}}}}"
            + " | {spec: {schedule: x, jobTemplate: {spec: {template: {metadata: {labels: {a: b}, annotations: {V}}}}}}}",
        "Pod | {metadata: {name: p}, spec: {}} | {metadata: {name: p, annotations: {V}}, spec: {}}",
        "ConfigMap | {data: {a: b}} | {data: {a: b}}",
      })
  void shouldAnnotateThePodsOfEachKind(String kind, String given, String expected) {
    // Given
    var manifest = new Manifest("spec.workload[0]", tree(kind, given));
    // When
    var annotated = PodTemplates.annotated(manifest, VALUES);
    // Then
    assertThat(annotated.tree())
        .isEqualTo(
            tree(
                kind,
                expected.replace(
                    "V", "'test.middleware.io/inject-target-host': cache-redis-nodes")));
    assertThat(manifest.tree()).as("what was given stays").isEqualTo(tree(kind, given));
    assertThat(PodTemplates.hasPods(manifest)).isEqualTo(!kind.equals("ConfigMap"));
  }

  /** The API server refuses it, and says why. */
  @Test
  void shouldNotFailOverAManifestOfAnotherForm() {
    // Given
    var manifest = new Manifest("spec.workload[0]", tree("Job", "{spec: text}"));
    // When Then
    assertThat(PodTemplates.annotated(manifest, VALUES).tree()).containsKey("spec");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> tree(String kind, String rest) {
    var tree = new KubernetesSerialization().unmarshal("---\n" + rest, Map.class);
    tree.put("kind", kind);
    return tree;
  }
}
