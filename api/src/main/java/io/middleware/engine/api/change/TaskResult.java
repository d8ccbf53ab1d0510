package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** What a task that was cancelled or rolled back has done. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskResult(
    @JsonPropertyDescription("What was done and remains; these pods are ready.") @Size(max = 4096)
        List<@Size(max = 1024) String> done,
    @JsonPropertyDescription("What was restored.") @Size(max = 4096)
        List<@Size(max = 1024) String> reverted,
    @JsonPropertyDescription("What remains unchanged.") @Size(max = 4096)
        List<@Size(max = 1024) String> left,
    @JsonPropertyDescription("What was changed or restored, and was not ready when the task ended.")
        @Size(max = 4096)
        List<@Size(max = 1024) String> notReady) {}
