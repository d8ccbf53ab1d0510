package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** Time limit and retries of one type of change. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TypePolicy(
    @JsonPropertyDescription(
            "How long a task may go on without progress, all its attempts together, as a "
                + "number with ms, s, m or h. The time begins again when one more pod has what "
                + "the task brings, and is ready. Default: the engine's setting (300s).")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String timeout,
    @JsonPropertyDescription("Attempts in all, 1 to 100. Default: the engine's setting (3).")
        @Min(1)
        @Max(100)
        Integer maxRetries) {}
