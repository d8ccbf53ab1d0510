package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/** Ready pods of a group. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GroupHealth(
    @JsonPropertyDescription("Name of the group.") @Size(min = 1, max = 253) String name,
    @JsonPropertyDescription("Ready pods out of the desired pods, for example 2/3.") @Size(max = 32)
        String ready) {}
