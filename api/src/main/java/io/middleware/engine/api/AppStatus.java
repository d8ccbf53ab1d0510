package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** What became of it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AppStatus(
    Long observedGeneration,
    Long acceptedGeneration,
    String phase,
    String ready,
    ChangeStatus change,
    List<TaskStatus> tasks,
    PendingChange pendingChange,
    PlanStatus plan,
    List<ComponentHealth> components,
    List<Condition> conditions) {}
