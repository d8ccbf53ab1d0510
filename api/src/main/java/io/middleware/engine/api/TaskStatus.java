package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/** One task of the change. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskStatus(
    String id,
    String type,
    String description,
    Integer priority,
    String component,
    List<String> dependencies,
    String status,
    Integer attempts,
    Integer maxRetries,
    String timeout,
    String startedAt,
    String completedAt,
    TaskError error,
    TaskResult result) {}
