package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;

/** What would be done to an object. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlannedObject(
    @JsonPropertyDescription("Kind of the object.") @Size(max = 253) String kind,
    @JsonPropertyDescription("Name of the object.") @Size(max = 253) String name,
    @JsonPropertyDescription("What would be done to it, for example Create, Update or Delete.")
        @Size(max = 63)
        String action) {}
