package io.middleware.engine.api.crd;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The fields of the custom resources as a page for people. */
final class CrdReference {
  private static final String HEAD =
      """
      # Custom resources

      Generated from the custom resource definitions in `k8s/chart/files/crds`; `kubectl explain` shows the
      same texts, for example `kubectl explain app.spec.change`. All kinds are namespaced and belong
      to `middleware.io/v1` and to the category `middleware`.
      """;

  private final StringBuilder page = new StringBuilder(HEAD);

  private CrdReference() {}

  static String of(List<CustomResourceDefinition> crds) {
    var reference = new CrdReference();
    crds.forEach(reference::kind);
    return reference.page.toString();
  }

  private void kind(CustomResourceDefinition crd) {
    var names = crd.getSpec().getNames();
    var schema = CustomResources.schema(crd);
    page.append("\n## %s\n\n%s\n\n".formatted(names.getKind(), schema.getDescription()))
        .append(
            "Names: `%s`, `%s`, `%s`.\n"
                .formatted(
                    names.getPlural(), names.getSingular(), names.getShortNames().getFirst()))
        .append("\nColumns: %s.\n".formatted(columns(crd)));
    var rules = rules("", schema);
    for (var part : List.of("spec", "status")) {
      Optional.ofNullable(schema.getProperties().get(part))
          .ifPresent(properties -> rules.addAll(part(names.getSingular(), part, properties)));
    }
    if (!rules.isEmpty()) {
      page.append("\n### Rules of %s\n\n".formatted(names.getSingular()));
      rules.forEach(page::append);
    }
  }

  private static String columns(CustomResourceDefinition crd) {
    return crd.getSpec().getVersions().getFirst().getAdditionalPrinterColumns().stream()
        .map(column -> column.getName() + (column.getPriority() == 0 ? "" : " (wide)"))
        .collect(Collectors.joining(", "));
  }

  private List<String> part(String kind, String part, JSONSchemaProps schema) {
    page.append("\n### %s.%s\n\n%s\n\n".formatted(kind, part, schema.getDescription()))
        .append("| Field | Type | Default | Limits | Description |\n")
        .append("|---|---|---|---|---|\n");
    return fields(part + ".", schema);
  }

  /** Writes the rows of all fields below, and returns the rules found on the way. */
  private List<String> fields(String path, JSONSchemaProps schema) {
    var rules = rules(path, schema);
    var required = Optional.ofNullable(schema.getRequired()).orElse(List.of());
    for (var field :
        Optional.ofNullable(schema.getProperties()).orElse(java.util.Map.of()).entrySet()) {
      var name = path + field.getKey();
      row(name, field.getValue(), required.contains(field.getKey()));
      var below = SchemaFinish.below(field.getValue());
      var list = field.getValue().getItems() == null ? "" : "[]";
      var map = field.getValue().getAdditionalProperties() == null ? "" : "{}";
      rules.addAll(fields(name + list + map + ".", below));
    }
    return rules;
  }

  private void row(String name, JSONSchemaProps field, boolean required) {
    page.append(
        "| `%s` | %s | %s | %s | %s |\n"
            .formatted(
                name,
                type(field) + (required ? ", required" : ""),
                Optional.ofNullable(field.getDefault()).map(d -> code(d.toString())).orElse(""),
                limits(field),
                field.getDescription().replace("|", "\\|").replace("<", "&lt;")));
  }

  private static String type(JSONSchemaProps field) {
    if (field.getItems() != null) {
      return "list of " + type(field.getItems().getSchema());
    }
    if (field.getAdditionalProperties() != null) {
      return "map of " + type(field.getAdditionalProperties().getSchema());
    }
    if (Boolean.TRUE.equals(field.getXKubernetesIntOrString())) {
      return "quantity";
    }
    return field.getType() == null ? untyped(field) : field.getType();
  }

  private static String untyped(JSONSchemaProps field) {
    return field.getMaxItems() == 0 ? "scalar" : "name or list";
  }

  private static String limits(JSONSchemaProps field) {
    var limits = new ArrayList<String>();
    var leaf = SchemaFinish.below(field);
    if (leaf.getEnum() != null && !leaf.getEnum().isEmpty()) {
      limits.add(
          leaf.getEnum().stream()
              .map(JsonNode::asText)
              .map(CrdReference::code)
              .collect(Collectors.joining(", ")));
    }
    range(limits, field.getMinItems(), field.getMaxItems(), "elements", field.getItems() != null);
    range(limits, null, field.getMaxProperties(), "keys", field.getAdditionalProperties() != null);
    range(limits, whole(leaf.getMinimum()), whole(leaf.getMaximum()), "", true);
    range(limits, leaf.getMinLength(), leaf.getMaxLength(), "characters", true);
    Optional.ofNullable(leaf.getPattern()).map(CrdReference::code).ifPresent(limits::add);
    keys(field).ifPresent(limits::add);
    return String.join("; ", limits);
  }

  private static Optional<String> keys(JSONSchemaProps list) {
    return Optional.ofNullable(list.getXKubernetesListMapKeys())
        .filter(keys -> !keys.isEmpty())
        .map(keys -> "unique " + code(keys.getFirst()));
  }

  private static Long whole(Double number) {
    return number == null ? null : number.longValue();
  }

  private static void range(
      List<String> limits, Long least, Long most, String unit, boolean applies) {
    if (!applies || (least == null && most == null)) {
      return;
    }
    var from = least == null ? "" : least + (most == null ? " or more" : " to ");
    var upTo = most == null ? "" : (least == null ? "at most " : "") + most;
    limits.add((from + upTo + " " + unit).strip());
  }

  private static List<String> rules(String path, JSONSchemaProps schema) {
    return Optional.ofNullable(schema.getXKubernetesValidations()).orElse(List.of()).stream()
        .map(rule -> rule(path, rule))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static String rule(String path, ValidationRule rule) {
    var below = Optional.ofNullable(rule.getFieldPath()).orElse("").replaceFirst("^\\.", "");
    var field = (path + below).replaceFirst("\\.$", "");
    var message = Optional.ofNullable(rule.getMessage()).orElse(rule.getMessageExpression());
    return "- `%s`: %s  \n  `%s`\n"
        .formatted(
            field,
            rule.getMessage() == null ? code(message) : message.replace("<", "&lt;"),
            rule.getRule());
  }

  private static String code(String text) {
    return "`" + text.replace("|", "\\|") + "`";
  }
}
