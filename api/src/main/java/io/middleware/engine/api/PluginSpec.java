package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/** How one kind of middleware is built. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PluginSpec(
    String name,
    String version,
    List<RuntimeOffer> runtimes,
    Orders orders,
    Map<String, String> orderFallback,
    List<String> taskOrder,
    Map<String, TypePolicy> policies,
    AgentSettings agent,
    Boolean switchover,
    List<AllowedKind> allowedKinds,
    List<ComponentType> componentTypes) {}
