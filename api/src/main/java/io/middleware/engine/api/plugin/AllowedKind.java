package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** A kind beyond those that every plugin may render. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AllowedKind(
    @JsonPropertyDescription("Group and version, for example monitoring.coreos.com/v1.")
        @Required
        @Pattern(SchemaPatterns.API_VERSION)
        @Size(min = 1, max = 253)
        String apiVersion,
    @JsonPropertyDescription("Kind, for example ServiceMonitor.")
        @Required
        @Pattern(SchemaPatterns.KIND)
        @Size(min = 1, max = 63)
        String kind) {}
