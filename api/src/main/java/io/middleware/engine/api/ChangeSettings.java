package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/** How a change is carried out. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ChangeSettings(
    Integer maxRetries,
    String retryBackoff,
    Map<String, String> timeouts,
    Integer batchSize,
    String interval,
    String onNewChange,
    String onCancel,
    String onFailure,
    String approval) {}
