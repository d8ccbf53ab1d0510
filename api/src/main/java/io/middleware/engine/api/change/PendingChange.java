package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;

/** The edit that waits for the running change. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PendingChange(
    @JsonPropertyDescription("The metadata.generation that waits.") @Min(0) Long generation,
    @JsonPropertyDescription("When it was seen, in RFC 3339.") @Size(max = 64) String detectedAt) {}
