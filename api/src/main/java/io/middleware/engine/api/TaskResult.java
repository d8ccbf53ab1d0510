package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** What a cancelled or rolled back task left. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskResult(
    @JsonPropertyDescription("What had been done and stays.") @Size(max = 4096)
        List<@Size(max = 1024) String> done,
    @JsonPropertyDescription("What was brought back.") @Size(max = 4096)
        List<@Size(max = 1024) String> reverted,
    @JsonPropertyDescription("What was left as it is.") @Size(max = 4096)
        List<@Size(max = 1024) String> left) {}
