package io.middleware.engine.api.access;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.OneOf;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What holds for one label. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "(self.operator in ['In', 'NotIn']) == (has(self.values) && size(self.values) > 0)",
    message = "operators In and NotIn need values, and no others have any",
    fieldPath = ".values",
    reason = "FieldValueInvalid")
public record LabelTerm(
    @JsonPropertyDescription("The label, for example kubernetes.io/metadata.name.")
        @Required
        @Pattern(SchemaPatterns.LABEL_NAME)
        @Size(min = 1, max = 317)
        String key,
    @JsonPropertyDescription("In, NotIn, Exists or DoesNotExist.")
        @Required
        @OneOf({"In", "NotIn", "Exists", "DoesNotExist"})
        String operator,
    @JsonPropertyDescription("Of In and NotIn: its values, for example [shop, web].")
        @Size(max = 32)
        @Nullable List<@Size(max = 63) @Pattern(SchemaPatterns.LABEL_VALUE) String> values) {

  Map<String, Object> term() {
    return values == null
        ? Map.of("key", key, "operator", operator)
        : Map.of("key", key, "operator", operator, "values", values);
  }
}
