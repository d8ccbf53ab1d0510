package io.middleware.engine.activities.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.render.schema.ManifestReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestsTest {
  private static final String PLACE = "spec.steps[1].apply";

  @Test
  void shouldFlattenLists() {
    // Given
    var given =
        read(
            """
            {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
            ---
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: v1, kind: Secret, metadata: {name: b}}
            - apiVersion: v1
              kind: ConfigMapList
              items:
              - {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop}}
            """);
    // When
    var manifests = Manifests.of("shop", PLACE, given);
    // Then
    assertThat(manifests.problems()).isEmpty();
    assertThat(manifests.objects())
        .extracting(Manifest::toString)
        .containsExactly("ConfigMap a", "Secret b", "ConfigMap c");
    assertThat(manifests.objects())
        .extracting(Manifest::place)
        .containsExactly(PLACE + "[0]", PLACE + "[1].items[0]", PLACE + "[1].items[1].items[0]");
    assertThat(manifests.objects())
        .allSatisfy(
            it -> assertThat(it.tree().get("metadata").toString()).contains("namespace=shop"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{kind: ConfigMap, metadata: {name: a}}                 | has no apiVersion",
        "{apiVersion: apps/v1/statefulsets?watch=true, kind: ConfigMap, metadata: {name: a}} | apiVersion apps/v1/statefulsets?watch=true is not valid: use v1, or a group and a version, for example middleware.io/v1",
        "{apiVersion: v1, kind: Pod/status, metadata: {name: a}} | kind Pod/status is not valid",
        "{apiVersion: v1, metadata: {name: a}}                  | has no kind",
        "{apiVersion: v1, kind: ConfigMap}                      | has no metadata.name",
        "{apiVersion: v1, kind: Pod, metadata: {generateName: a}} | has no metadata.name",
        "{apiVersion: v1, kind: Pod, metadata: {name: ../x}}    | ../x is not a name of an object",
        "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}} | Pod a is in namespace b; a test applies objects only in its own, shop",
        "{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {test.middleware.io/created-by: x}}} | Pod a has the label test.middleware.io/created-by, which only the engine sets",
        "{apiVersion: v1, kind: List, items: [5]}               | is not an object",
      })
  void shouldSayWhatCannotBeApplied(String given, String problem) {
    // When
    var manifests = Manifests.of("shop", PLACE, read(given));
    // Then
    assertThat(manifests.objects()).isEmpty();
    assertThat(manifests.problems()).hasSize(1);
    assertThat(manifests.problems().getFirst()).startsWith(PLACE + "[0]").endsWith(": " + problem);
  }

  @Test
  void shouldNameAllProblems() {
    // When
    var manifests = Manifests.of("shop", PLACE, read("{kind: A}\n---\n{apiVersion: v1}"));
    // Then
    assertThat(manifests.problems())
        .containsExactly(PLACE + "[0]: has no apiVersion", PLACE + "[1]: has no kind");
  }

  private static List<Map<String, Object>> read(String yaml) {
    return ManifestReader.read(yaml);
  }
}
