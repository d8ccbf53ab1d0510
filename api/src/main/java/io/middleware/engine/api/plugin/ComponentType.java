package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Nullable;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.check.Check;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.schema.UntypedContent;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** How one type of component is built. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ComponentType(
    @JsonPropertyDescription(
            "Name of the type, for example redis; components of an App name it in type.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String name,
    @JsonPropertyDescription(
            "The configuration parameters that Apps may set, at most 512. Default: none.")
        @Size(max = 512)
        @ListKey("name")
        List<Parameter> parameters,
    @JsonPropertyDescription(
            "Values of parameters for this type, which those of the App override, for example "
                + "{databases: 16}. Default: the defaults of the parameters.")
        @Size(max = 256)
        @UntypedContent(UntypedContent.Form.SCALARS)
        Map<String, Object> values,
    @JsonPropertyDescription("The objects made for each group, at most 50.")
        @Required
        @Size(min = 1, max = 50)
        List<TemplateSource> templates,
    @JsonPropertyDescription(
            "What the templates support: Monitoring, if they use monitoring; Backup, if they use "
                + "backup; Access, if they use access. An App that asks for anything else is rejected. "
                + "Default: none.")
        @Size(max = 3)
        List<Capability> supports,
    @JsonPropertyDescription(
            "The actions that Operations may run on its pods, at most 32. Default: none.")
        @Size(max = 32)
        @ListKey("name")
        List<PluginAction> actions,
    @JsonPropertyDescription(
            "The actions that tasks run as steps of their own, for example {afterUpgrade: "
                + "snapshot}, with the defaults of their parameters. An action that fails fails "
                + "its task. Default: none.")
        Hooks hooks,
    @JsonPropertyDescription(
            "What must hold after a change of its groups, at most 16. Default: none.")
        @Size(max = 16)
        @ListKey("name")
        List<Check> checks,
    @JsonPropertyDescription(
            "How its groups get another number of pods: AllAtOnce, or OneByOne for members of a "
                + "cluster, which join and leave one at a time: the agents run join, joined and "
                + "leave. Default: AllAtOnce.")
        Scaling scaling,
    @JsonPropertyDescription(
            "Whether a primary of this type is asked to switch over before it is touched. Default: "
                + "what the Plugin says in spec.switchover.")
        @Nullable
        Boolean switchover,
    @JsonPropertyDescription(
            "What must hold in each of its groups, at most 32. An App whose values break one is "
                + "rejected with its message. Default: none.")
        @Size(max = 32)
        List<ValueRule> rules,
    @JsonPropertyDescription(
            "The Services of each group for the applications that use it, at most 8, for example "
                + "{name: rw, role: Primary, port: 6379}. The engine makes them, and lets them follow "
                + "the roles of the pods. Default: none.")
        @Size(max = 8)
        @ListKey("name")
        List<Endpoint> endpoints,
    @JsonPropertyDescription(
            "What the Secret of each endpoint holds for the applications that use it. The engine "
                + "writes it for groups in which the password is set. Default: no Secrets.")
        ConnectionForm connection,
    @JsonPropertyDescription(
            "The accounts that Apps may ask for in spec.components[].accounts. Needs agents, and "
                + "templates that mount the Secret <group>.accounts. Default: none.")
        AccountOffer accounts,
    @JsonPropertyDescription(
            "The volumes of each pod whose sizes Apps give, at most 16. Each is a volumeClaimTemplate "
                + "of the same name. Default: one, whatever its name, of the size in storage.")
        @Size(max = 16)
        @ListKey("name")
        List<VolumeOffer> volumes) {

  /** The actions of the same type, and nothing else. */
  public ComponentType withActionsOnly() {
    return new ComponentType(
        name, null, null, null, null, actions, null, null, null, null, null, null, null, null,
        null);
  }

  ComponentType withTemplates(UnaryOperator<TemplateSource> other) {
    return new ComponentType(
        name,
        parameters,
        values,
        Stream.ofNullable(templates).flatMap(List::stream).map(other).toList(),
        supports,
        actions,
        hooks,
        checks,
        scaling,
        switchover,
        rules,
        endpoints,
        connection,
        accounts,
        volumes);
  }
}
