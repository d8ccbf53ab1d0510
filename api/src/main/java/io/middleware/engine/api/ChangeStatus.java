package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;

/** The running change, else the last one. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ChangeStatus(
    Long generation,
    String workflowId,
    String runId,
    String startedAt,
    String completedAt,
    String outcome,
    String message,
    String currentTask) {}
