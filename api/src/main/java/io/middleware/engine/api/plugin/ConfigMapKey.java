package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** A key of a ConfigMap. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ConfigMapKey(
    @JsonPropertyDescription("Name of a ConfigMap in the engine's namespace.")
        @Required
        @Pattern(SchemaPatterns.OBJECT_NAME)
        @Size(min = 1, max = 253)
        String name,
    @JsonPropertyDescription("Key of the template in it, for example pdb.yaml.")
        @Required
        @Pattern("^[-._a-zA-Z0-9]+$")
        @Size(min = 1, max = 253)
        String key) {}
