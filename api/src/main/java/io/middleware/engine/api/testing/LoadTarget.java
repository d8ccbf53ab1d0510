package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.Map;

/** The object that a LoadTest puts under load: by its name, or by its labels and annotations. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.name) != (has(self.labels) || has(self.annotations))",
    message = "a target is found either by name, or by labels and annotations",
    reason = "FieldValueInvalid")
public record LoadTarget(
    @JsonPropertyDescription("API version of the object, for example middleware.io/v1.")
        @Required
        @Pattern(SchemaPatterns.API_VERSION)
        @Size(min = 1, max = 253)
        String apiVersion,
    @JsonPropertyDescription("Kind of the object, for example App.")
        @Required
        @Pattern(SchemaPatterns.KIND)
        @Size(min = 1, max = 63)
        String kind,
    @JsonPropertyDescription("Name of the object, for example cache. Either this or labels.")
        @Pattern(SchemaPatterns.OBJECT_NAME)
        @Size(min = 1, max = 253)
        String name,
    @JsonPropertyDescription(
            "Labels that exactly one object of the kind has, for example {tier: gold}.")
        @Size(min = 1, max = 16)
        Map<String, @Pattern(SchemaPatterns.LABEL_VALUE) @Size(max = 63) String> labels,
    @JsonPropertyDescription("Annotations that the object has. Default: any.")
        @Size(min = 1, max = 16)
        Map<String, @Size(max = 4096) String> annotations) {}
