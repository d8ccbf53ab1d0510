package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.OneOf;

/** How a round of a test ended. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RoundSummary(
    @JsonPropertyDescription("Number of the round, from 1.") @Min(1) int round,
    @JsonPropertyDescription("How it ended.") @OneOf({"Passed", "Failed", "Cancelled"})
        String outcome,
    @JsonPropertyDescription("The step that failed, and why; absent for one that passed.")
        @Size(max = 4096)
        String message,
    @JsonPropertyDescription("When it began, in RFC 3339.") @Size(max = 64) String startedAt,
    @JsonPropertyDescription("When it ended, in RFC 3339.") @Size(max = 64) String completedAt) {}
