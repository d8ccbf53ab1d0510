package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** Health of a group, its pods and its objects. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GroupStatus(
    Long observedGeneration,
    String phase,
    String ready,
    List<Node> nodes,
    List<InventoryItem> inventory,
    List<Condition> conditions) {}
