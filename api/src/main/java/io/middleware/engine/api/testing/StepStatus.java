package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.OneOf;
import java.util.List;

/** How far a step of the current round is. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StepStatus(
    @JsonPropertyDescription("Name of the step; final-checks for those of the whole test.")
        @Size(max = 63)
        String name,
    @JsonPropertyDescription(
            "Pending, then Applying, Converging, Readying and Checking, and in the end Passed, Failed, "
                + "Cancelled, or Skipped when it has not begun.")
        @OneOf({
          "Pending",
          "Applying",
          "Converging",
          "Readying",
          "Checking",
          "Passed",
          "Failed",
          "Cancelled",
          "Skipped"
        })
        String phase,
    @JsonPropertyDescription("What it waits for, or why it failed, for people.") @Size(max = 8192)
        String message,
    @JsonPropertyDescription("When it began, in RFC 3339.") @Size(max = 64) String startedAt,
    @JsonPropertyDescription("When it ended; absent until then.") @Size(max = 64)
        String completedAt,
    @JsonPropertyDescription("Its checks.") @Size(max = 16) @ListKey("name")
        List<TestCheckResult> checks) {}
