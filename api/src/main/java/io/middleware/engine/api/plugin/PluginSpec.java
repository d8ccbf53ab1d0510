package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Nullable;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.OneOf;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** How one kind of middleware is built. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("How one kind of middleware is built. Written by administrators.")
@ValidationRule(
    value =
        "!has(self.orderFallback) || self.orderFallback.all(scenario, scenario in "
            + "['provision', 'stop', 'update', 'upgrade'])",
    message = "the keys of orderFallback are scenarios: provision, stop, update, upgrade",
    fieldPath = ".orderFallback",
    reason = "FieldValueForbidden")
@ValidationRule(
    value =
        "!has(self.taskOrder) || self.taskOrder.all(type, "
            + "self.taskOrder.exists_one(other, other == type))",
    message = "taskOrder names a type of change twice",
    fieldPath = ".taskOrder",
    reason = "FieldValueForbidden")
@ValidationRule(
    value =
        "!has(self.policies) || self.policies.all(type, type in ['VersionUpgrade', "
            + "'Storage', 'Config', 'Resources', 'Provision', 'Remove', 'Stop', 'Start'])",
    message =
        "the keys of policies are types of change: VersionUpgrade, "
            + "Storage, Config, Resources, Provision, Remove, Stop, Start",
    fieldPath = ".policies",
    reason = "FieldValueForbidden")
public record PluginSpec(
    @JsonPropertyDescription(
            "Name of the plugin, for example redis; Apps name it in spec.plugin.name.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 40)
        String name,
    @JsonPropertyDescription(
            "Version of the plugin, for example 1.0.0; Apps name it in spec.plugin.version.")
        @Required
        @Pattern(SchemaPatterns.PLUGIN_VERSION)
        @Size(min = 1, max = 20)
        String version,
    @JsonPropertyDescription("The middleware that the plugin can run, at most 16.")
        @Required
        @Size(min = 1, max = 16)
        @ListKey("name")
        List<RuntimeOffer> runtimes,
    @JsonPropertyDescription("The order of the components, by scenario. Default: all at once.")
        @Nullable
        Orders orders,
    @JsonPropertyDescription(
            "What to do by scenario (provision, stop, update, upgrade) when no agent can "
                + "give the order of groups and pods: Concurrent, Sequential in name order, or "
                + "Fail. Default: {provision: Concurrent, stop: Sequential, update: Sequential, "
                + "upgrade: Sequential}.")
        @Size(max = 4)
        Map<String, OrderFallbackMode> orderFallback,
    @JsonPropertyDescription(
            "The order of the types of change. Default: [VersionUpgrade, Storage, Config, "
                + "Resources].")
        @Size(max = 4)
        @OneOf({"VersionUpgrade", "Storage", "Config", "Resources"})
        List<String> taskOrder,
    @JsonPropertyDescription(
            "Time limits and retries by type of change (VersionUpgrade, Storage, Config, Resources, "
                + "Provision, Remove, Stop, Start), for example {VersionUpgrade: {timeout: 30m}}; "
                + "an App's spec.change takes precedence. Default: the engine's settings.")
        @Size(max = 8)
        Map<String, TypePolicy> policies,
    @JsonPropertyDescription("Where the pods' agents listen, for example {port: 9090}.")
        @Default("{}")
        AgentSettings agent,
    @JsonPropertyDescription(
            "Whether the primary is asked to switch over before it is touched. Default: false.")
        @Default("false")
        Boolean switchover,
    @JsonPropertyDescription(
            "Kinds that templates may hold beyond the usual ones, for example [{apiVersion: "
                + "monitoring.coreos.com/v1, kind: ServiceMonitor}]. Default: none.")
        @Size(max = 32)
        List<AllowedKind> allowedKinds,
    @JsonPropertyDescription(
            "The Pod Security Standard that its pods meet: Baseline or Restricted. With "
                + "Restricted the engine fills in what a template leaves out, so that the pods "
                + "run in a namespace that enforces restricted. Default: Baseline.")
        @Default("Baseline")
        PodSecurity podSecurity,
    @JsonPropertyDescription("How components are built, by type, at most 32.")
        @Required
        @Size(min = 1, max = 32)
        @ListKey("name")
        List<ComponentType> componentTypes) {

  /** Whether agents run in its pods. */
  public boolean hasAgents() {
    return agent != null && agent.port() != null;
  }

  /** Whether the pods of a group of this type join and leave it one at a time. */
  public boolean scalesOneByOne(String type) {
    return types(type).anyMatch(it -> it.scaling() == Scaling.ONE_BY_ONE);
  }

  private Stream<ComponentType> types(String name) {
    return Stream.ofNullable(componentTypes)
        .flatMap(List::stream)
        .filter(type -> name.equals(type.name()));
  }

  /** Whether the action of this name excludes nothing: each type that has it says so. */
  public boolean isShared(String action) {
    var offered = actions(type -> true, action).toList();
    return !offered.isEmpty() && offered.stream().allMatch(PluginAction::isShared);
  }

  /** Whether the action of this name runs as a Job on components of this type. */
  public boolean isJob(String type, String action) {
    return actions(it -> type.equals(it.name()), action).anyMatch(PluginAction::isJob);
  }

  private Stream<PluginAction> actions(Predicate<ComponentType> types, String action) {
    return Stream.ofNullable(componentTypes)
        .flatMap(List::stream)
        .filter(types)
        .flatMap(type -> Stream.ofNullable(type.actions()).flatMap(List::stream))
        .filter(offer -> action.equals(offer.name()));
  }

  /** The same plugin with other templates. */
  public PluginSpec withTemplates(UnaryOperator<TemplateSource> other) {
    return new PluginSpec(
        name,
        version,
        runtimes,
        orders,
        orderFallback,
        taskOrder,
        policies,
        agent,
        switchover,
        allowedKinds,
        podSecurity,
        Stream.ofNullable(componentTypes)
            .flatMap(List::stream)
            .map(type -> type.withTemplates(other))
            .toList());
  }
}
