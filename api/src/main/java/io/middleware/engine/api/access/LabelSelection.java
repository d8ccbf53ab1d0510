package io.middleware.engine.api.access;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects by their labels, as Kubernetes has it. An empty one is all of them. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.matchLabels) || self.matchLabels.all(key, size(key) <= 317 && "
            + "key.matches('"
            + SchemaPatterns.LABEL_NAME
            + "'))",
    message = "matchLabels has a key that is not the name of a label",
    fieldPath = ".matchLabels",
    reason = "FieldValueInvalid")
public record LabelSelection(
    @JsonPropertyDescription("Labels that they have. Default: any.") @Size(max = 16)
        @Nullable Map<String, @Size(max = 63) @Pattern(SchemaPatterns.LABEL_VALUE) String>
            matchLabels,
    @JsonPropertyDescription("What else holds for their labels. Default: nothing.")
        @Size(max = 16)
        @ListKey("key")
        @Nullable List<LabelTerm> matchExpressions) {

  /** The same as a LabelSelector of Kubernetes. */
  public Map<String, Object> selector() {
    Map<String, Object> selector = new LinkedHashMap<>();
    if (matchLabels != null) {
      selector.put("matchLabels", matchLabels);
    }
    if (matchExpressions != null) {
      var terms = new ArrayList<Map<String, Object>>();
      matchExpressions.forEach(term -> terms.add(term.term()));
      selector.put("matchExpressions", terms);
    }
    return selector;
  }
}
