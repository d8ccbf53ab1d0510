package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** What must hold in a group before an action begins. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Precondition(
    @JsonPropertyDescription(
            "An expression as in templates, without ${}, that is true or false, for example "
                + "replicas > 1.")
        @Required
        @Size(min = 1, max = 4096)
        String cel,
    @JsonPropertyDescription("Why the action is refused where it is false.")
        @Required
        @Size(min = 1, max = 1024)
        String message) {}
