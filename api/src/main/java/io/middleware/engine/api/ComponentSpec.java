package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/** One part of an App as it is deployed, or being deployed; written by the engine. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ComponentSpec(
    String app,
    String component,
    String type,
    PluginRef plugin,
    RuntimeRef runtime,
    String state,
    Map<String, Object> values,
    List<GroupTemplate> groups,
    Monitoring monitoring,
    Backup backup) {}
