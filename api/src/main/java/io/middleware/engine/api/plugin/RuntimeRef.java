package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** The middleware itself. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RuntimeRef(
    @JsonPropertyDescription("Name of the middleware as the plugin offers it, for example redis.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String name,
    @JsonPropertyDescription(
            "Version of the middleware as the plugin offers it, in quotes, for example "
                + "\"7.2\".")
        @Required
        @Pattern(SchemaPatterns.VERSION)
        @Size(min = 1, max = 32)
        String version) {}
