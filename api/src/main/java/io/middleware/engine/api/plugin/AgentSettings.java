package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Where the pods' agents listen. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentSettings(
    @JsonPropertyDescription("Port of the agent in each pod. Default: 9090.")
        @Min(1)
        @Max(65535)
        @Default("9090")
        Integer port,
    @JsonPropertyDescription(
            "Mutual TLS with the agents, for example {secretName: middleware-agent-tls}. "
                + "Default: none.")
        AgentTls tls) {}
