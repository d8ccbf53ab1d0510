package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.schema.ListKey;
import java.util.List;

/** Health of a component. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("Health of the component; written by the engine.")
public record ComponentStatus(
    @JsonPropertyDescription("The metadata.generation that this status speaks of.") @Min(0)
        Long observedGeneration,
    @JsonPropertyDescription("The state in one word, for people. Programs read the conditions.")
        @Size(max = 63)
        String phase,
    @JsonPropertyDescription("Ready pods out of the desired pods, for example 5/6.") @Size(max = 32)
        String ready,
    @JsonPropertyDescription("Ready pods by group.") @Size(max = 64) @ListKey("name")
        List<GroupHealth> groups,
    @JsonPropertyDescription("Reconciling, Ready and Stalled, and more when they apply.")
        @Size(max = 32)
        List<Condition> conditions) {}
