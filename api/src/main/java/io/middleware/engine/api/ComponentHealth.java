package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.ListKey;
import java.util.List;

/** Ready pods of a component. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ComponentHealth(
    @JsonPropertyDescription("Name of the component.") @Size(min = 1, max = 253) String name,
    @JsonPropertyDescription("Ready pods out of the desired pods, for example 5/6.") @Size(max = 32)
        String ready,
    @JsonPropertyDescription("Ready pods by group.") @Size(max = 64) @ListKey("name")
        List<GroupHealth> groups) {}
