package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/** One set of equal pods, as the App asks for it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GroupTemplate(
    String name,
    Integer replicas,
    Resources resources,
    Storage storage,
    Map<String, Object> affinity,
    Map<String, Object> values) {}
