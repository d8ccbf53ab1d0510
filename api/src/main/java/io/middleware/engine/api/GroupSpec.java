package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/** One set of equal pods as it is deployed, or being deployed; written by the engine. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GroupSpec(
    String app,
    String component,
    String type,
    String group,
    PluginRef plugin,
    RuntimeRef runtime,
    String state,
    Integer replicas,
    Resources resources,
    Storage storage,
    Map<String, Object> affinity,
    Map<String, Object> values,
    Monitoring monitoring,
    Backup backup) {}
