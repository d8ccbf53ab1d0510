package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/** Health of a group, its pods and its objects. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("Health of the group, its pods and its objects; written by the engine.")
@RecordBuilder
public record GroupStatus(
    @JsonPropertyDescription("The metadata.generation that this status speaks of.") @Min(0)
        Long observedGeneration,
    @JsonPropertyDescription("The state in one word, for people. Programs read the conditions.")
        @Size(max = 63)
        String phase,
    @JsonPropertyDescription("Ready pods out of the desired pods, for example 2/3.") @Size(max = 32)
        String ready,
    @JsonPropertyDescription("Its pods, in order: the first 1000 of them.") @Size(max = 2000)
        List<Node> nodes,
    @JsonPropertyDescription("The objects made for it.") @Size(max = 256)
        List<InventoryItem> inventory,
    @JsonPropertyDescription("The pods whose agents say that they are the primary.")
        @Size(max = 4096)
        String primary,
    @JsonPropertyDescription(
            "The annotation middleware.io/switched-over since which the roles were asked for.")
        @Size(max = 1024)
        String observedSwitchover,
    @JsonPropertyDescription(
            "The task that has written the StatefulSet last, and the revision of its pod template since.")
        @Size(max = 1024)
        String writtenTemplate,
    @JsonPropertyDescription("Reconciling, Ready and Stalled, and more when they apply.")
        @Size(max = 32)
        List<Condition> conditions,
    @JsonPropertyDescription(
            "How many pods there are besides those that are listed; absent for none.")
        @Min(0)
        Long notListed)
    implements GroupStatusBuilder.With {}
