package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/** Why a task failed. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskError(
    @JsonPropertyDescription("One word, for example TaskTimedOut.") @Size(max = 1024) String reason,
    @JsonPropertyDescription("What was attempted on which object, and what to do.")
        @Size(max = 32768)
        String message) {}
