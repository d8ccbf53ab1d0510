package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** How often the steps of a test are repeated. The first round that fails is the last. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Repeat(
    @JsonPropertyDescription("How many rounds, 1 to 10000. Default: 1; no limit with untilFailure.")
        @Min(1)
        @Max(10_000)
        Integer count,
    @JsonPropertyDescription(
            "No round begins after this time, for example 8h. Default: no limit; 24h with untilFailure.")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String maxDuration,
    @JsonPropertyDescription(
            "Whether rounds follow each other until one fails, or count or maxDuration is reached. "
                + "Default: false.")
        Boolean untilFailure) {}
