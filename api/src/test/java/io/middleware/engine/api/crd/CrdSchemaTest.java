package io.middleware.engine.api.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What holds for every field of every kind. */
class CrdSchemaTest {
  private static final Set<String> WITHOUT_STATUS = Set.of("BackupStore", "Plugin");
  private static List<CustomResourceDefinition> crds;
  private static final Map<String, JSONSchemaProps> FIELDS = new LinkedHashMap<>();

  @BeforeAll
  static void generate() throws IOException {
    crds = CustomResources.generate(Path.of("target", "crds-of-schema-test"));
    for (var crd : crds) {
      var schema = CustomResources.schema(crd);
      for (var part : List.of("spec", "status")) {
        Optional.ofNullable(schema.getProperties().get(part))
            .ifPresent(fields -> collect(crd.getSpec().getNames().getKind() + "." + part, fields));
      }
    }
  }

  @Test
  void shouldDescribeEveryField() {
    assertThat(those(field -> field.getDescription() == null, name -> !name.endsWith("]")))
        .isEmpty();
  }

  @Test
  void shouldLimitEveryString() {
    assertThat(
            those(
                field ->
                    "string".equals(field.getType())
                        && field.getMaxLength() == null
                        && (field.getEnum() == null || field.getEnum().isEmpty())
                        && field.getFormat() == null,
                name -> true))
        .isEmpty();
  }

  @Test
  void shouldLimitEveryListAndMap() {
    assertThat(
            those(field -> field.getItems() != null && field.getMaxItems() == null, name -> true))
        .isEmpty();
    assertThat(
            those(
                field ->
                    field.getAdditionalProperties() != null && field.getMaxProperties() == null,
                name -> true))
        .isEmpty();
  }

  /** A status that is longer than its schema cannot be written, and stands still for good. */
  @Test
  void shouldKnowWhatKeepsEachListOfAStatusWithinItsLimit() {
    var lists =
        those(
            field -> field.getItems() != null || field.getAdditionalProperties() != null,
            name -> name.contains(".status."));
    assertThat(lists).containsExactlyInAnyOrderElementsOf(StatusLimits.KEPT.keySet());
  }

  /** Those that are cut off say how much is missing, or keep the newest. */
  @Test
  void shouldCutOffNoLaterThanTheSchemaAllows() {
    StatusLimits.KEPT.forEach(
        (name, most) -> {
          var field = FIELDS.get(name);
          var limit = field.getItems() == null ? field.getMaxProperties() : field.getMaxItems();
          assertThat(limit).as(name).isGreaterThanOrEqualTo((long) most);
        });
  }

  @Test
  void shouldMergeListsOfObjectsByKeyWhereAUserWritesThem() {
    assertThat(
            those(
                field ->
                    field.getItems() != null
                        && "object".equals(field.getItems().getSchema().getType())
                        && !"map".equals(field.getXKubernetesListType()),
                name -> name.startsWith("App.spec") && !isWithoutNames(name)))
        .isEmpty();
  }

  /**
   * Whoever writes a check, tolerations, or what is used, writes all of it: Kubernetes does not
   * merge these.
   */
  private static boolean isWithoutNames(String name) {
    return name.endsWith(".checks[].allOf")
        || name.endsWith(".checks[].anyOf")
        || name.endsWith(".tolerations")
        || name.endsWith(".uses");
  }

  @Test
  void shouldGiveEveryRuleAMessage() {
    assertThat(FIELDS.values())
        .flatExtracting(
            field -> Optional.ofNullable(field.getXKubernetesValidations()).orElse(List.of()))
        .extracting(ValidationRule.class::cast)
        .allSatisfy(
            rule ->
                assertThat(
                        Optional.ofNullable(rule.getMessage()).orElse(rule.getMessageExpression()))
                    .isNotBlank());
  }

  @Test
  void shouldHaveShortNamesCategoryAndStatus() {
    assertThat(crds)
        .extracting(crd -> crd.getSpec().getNames().getShortNames())
        .containsExactly(
            List.of("mwapp"),
            List.of("mwbackup"),
            List.of("mwstore"),
            List.of("mwcomp"),
            List.of("mwgroup"),
            List.of("mwop"),
            List.of("mwplugin"),
            List.of("mwit"),
            List.of("mwlt"));
    assertThat(crds)
        .allSatisfy(
            crd ->
                assertThat(crd.getSpec().getNames().getCategories()).containsExactly("middleware"));
    assertThat(crds)
        .filteredOn(crd -> !WITHOUT_STATUS.contains(crd.getSpec().getNames().getKind()))
        .allSatisfy(
            crd ->
                assertThat(crd.getSpec().getVersions().getFirst().getSubresources().getStatus())
                    .isNotNull());
  }

  private static List<String> those(Predicate<JSONSchemaProps> fields, Predicate<String> names) {
    return FIELDS.entrySet().stream()
        .filter(field -> fields.test(field.getValue()) && names.test(field.getKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static void collect(String name, JSONSchemaProps schema) {
    FIELDS.put(name, schema);
    var below = new ArrayList<Map.Entry<String, JSONSchemaProps>>();
    Optional.ofNullable(schema.getProperties())
        .ifPresent(
            fields -> fields.forEach((field, value) -> below.add(Map.entry("." + field, value))));
    if (SchemaFinish.below(schema) != schema) {
      below.add(Map.entry("[]", SchemaFinish.below(schema)));
    }
    below.forEach(field -> collect(name + field.getKey(), field.getValue()));
  }
}
