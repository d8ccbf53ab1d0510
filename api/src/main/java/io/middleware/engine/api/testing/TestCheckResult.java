package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/** What became of a check of a test. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TestCheckResult(
    @JsonPropertyDescription("Name of the check.") @Size(max = 63) String name,
    @JsonPropertyDescription("Whether it held; absent until it is decided.") Boolean passed,
    @JsonPropertyDescription("What was found.") @Size(max = 1024) String actual,
    @JsonPropertyDescription("Why it did not pass; absent when it did.") @Size(max = 4096)
        String message,
    @JsonPropertyDescription("When it was decided, in RFC 3339.") @Size(max = 64)
        String checkedAt) {}
