package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/** What the user wants. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AppSpec(
    PluginRef plugin,
    RuntimeRef runtime,
    String state,
    Boolean paused,
    String serviceAccountName,
    String deletionPolicy,
    List<ComponentTemplate> components,
    Monitoring monitoring,
    Backup backup,
    ChangeSettings change) {}
