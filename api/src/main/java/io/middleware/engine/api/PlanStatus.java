package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/** What would be done, for approval. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanStatus(
    Long generation,
    String hash,
    List<TaskStatus> tasks,
    List<PlannedPod> pods,
    List<PlannedObject> objects) {}
