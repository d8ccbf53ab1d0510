package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** Which plugin builds an App. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PluginRef(
    @JsonPropertyDescription("Name of the plugin, for example redis. Immutable in an App.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 40)
        String name,
    @JsonPropertyDescription(
            "Version of the plugin, for example 1.0.0. The Plugin object is called "
                + "<name>-v<version>, for example redis-v1.0.0.")
        @Required
        @Pattern(SchemaPatterns.PLUGIN_VERSION)
        @Size(min = 1, max = 20)
        String version) {}
