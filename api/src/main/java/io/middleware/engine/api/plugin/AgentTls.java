package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** Mutual TLS with the agents. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentTls(
    @JsonPropertyDescription(
            "Secret in the engine's namespace with tls.crt, tls.key and ca.crt. By default the "
                + "engine may read only middleware-agent-tls.")
        @Required
        @Pattern(SchemaPatterns.OBJECT_NAME)
        @Size(min = 1, max = 253)
        String secretName) {}
