package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** An object made for a group. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record InventoryItem(
    @JsonPropertyDescription("Group and version of the object, for example apps/v1.")
        @Pattern(SchemaPatterns.API_VERSION)
        @Size(max = 253)
        String apiVersion,
    @JsonPropertyDescription("Kind of the object, for example StatefulSet.")
        @Pattern(SchemaPatterns.KIND)
        @Size(max = 63)
        String kind,
    @JsonPropertyDescription("Name of the object.") @Size(max = 253) String name) {}
