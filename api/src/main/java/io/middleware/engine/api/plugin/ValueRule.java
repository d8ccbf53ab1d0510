package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** How the values of a group must fit together. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ValueRule(
    @JsonPropertyDescription(
            "An expression over config, replicas, resources, storage, volumes, runtime and "
                + "components that is true or false, for example int(config.quorum) <= replicas.")
        @Required
        @Size(min = 1, max = 4096)
        String cel,
    @JsonPropertyDescription(
            "Why an App is rejected where it is false, for example quorum must be at most the "
                + "replicas of the group.")
        @Required
        @Size(min = 1, max = 1024)
        String message) {}
