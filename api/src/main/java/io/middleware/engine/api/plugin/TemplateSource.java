package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.UntypedContent;
import java.util.Map;

/** A template: inline, or a key of a ConfigMap in the engine's namespace. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.template) != has(self.fromConfigMap)",
    message = "give either template or fromConfigMap",
    reason = "FieldValueForbidden")
public record TemplateSource(
    @JsonPropertyDescription(
            "A whole Kubernetes object; every string may hold expressions, for example "
                + "\"${name}-config\".")
        @UntypedContent(UntypedContent.Form.KUBERNETES_OBJECT)
        Map<String, Object> template,
    @JsonPropertyDescription(
            "The same as YAML text, for example {name: redis-templates, key: pdb.yaml}.")
        ConfigMapKey fromConfigMap,
    @JsonPropertyDescription(
            "A CEL expression that gives a list of at most 50 elements, for example "
                + "lists.range(replicas). The template is rendered once for each, with the "
                + "variables item and ordinal. Default: it is rendered once.")
        @Size(min = 1, max = 1024)
        String forEach) {

  /** A template that is rendered once. */
  public TemplateSource(Map<String, Object> template, ConfigMapKey fromConfigMap) {
    this(template, fromConfigMap, null);
  }
}
