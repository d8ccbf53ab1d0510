package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.List;
import java.util.Objects;

/** An action that a component type offers to Operations. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PluginAction(
    @JsonPropertyDescription(
            "Name of the action, for example save; Operations name it in spec.action.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String name,
    @JsonPropertyDescription("What it does, for people.") @Size(max = 1024) String description,
    @JsonPropertyDescription(
            "The parameters that an Operation may give, at most 64; effect has no meaning here. "
                + "Default: none.")
        @Size(max = 64)
        @ListKey("name")
        List<Parameter> parameters,
    @JsonPropertyDescription("Who runs it: the Agent of each pod. Default: Agent.")
        @Default("Agent")
        ActionRunner runs,
    @JsonPropertyDescription(
            "The pods of each group on which it runs: Each, one after the other; One, any of them; "
                + "the Primary; AnyReplica, one that is not the primary. Default: Each.")
        @Default("Each")
        ActionPods pods,
    @JsonPropertyDescription(
            "How long it may run on one pod before it is terminated, for example 5m. Default: until "
                + "the time limit of its task.")
        @Pattern(SchemaPatterns.POSITIVE_DURATION)
        @Size(min = 2, max = 8)
        String timeout) {

  /** Fills in the default of the pods. */
  public PluginAction {
    pods = Objects.requireNonNullElse(pods, ActionPods.EACH);
  }
}
