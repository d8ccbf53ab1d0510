package io.middleware.engine.api.operation;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.List;

/** The groups that an Operation works on. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OperationTarget(
    @JsonPropertyDescription("Name of a component of the App, for example redis-nodes.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String component,
    @JsonPropertyDescription(
            "Names of groups of that component, for example [shard-0]. Default: all of its groups.")
        @Size(max = 64)
        List<@Pattern(SchemaPatterns.DNS_LABEL) @Size(min = 1, max = 63) String> groups,
    @JsonPropertyDescription(
            "Names of pods of that component. Switchover: the next primary of its group, for "
                + "example [cache-redis-nodes-shard-0-1]. Default: the middleware chooses. "
                + "Rebuild: the replicas to rebuild, one after the other.")
        @Size(max = 64)
        List<@Pattern(SchemaPatterns.DNS_LABEL) @Size(min = 1, max = 63) String> pods,
    @JsonPropertyDescription(
            "For an action of the Plugin that runs on Each pod: only the Primary of each group, or only "
                + "a Replica, which is any other role, when the group's turn comes. Default: any role.")
        TargetRole role,
    @JsonPropertyDescription(
            "For an action of the Plugin that runs on Each pod: how many of each group, the first in "
                + "the agents' order, 1 to 1000. Default: all.")
        @Min(1)
        @Max(1000)
        Integer count) {

  /** Whole groups. */
  public OperationTarget(String component, List<String> groups) {
    this(component, groups, null);
  }

  /** Pods by name. */
  public OperationTarget(String component, List<String> groups, List<String> pods) {
    this(component, groups, pods, null, null);
  }

  /** The pods that are named. */
  public List<String> named() {
    return pods == null ? List.of() : pods;
  }
}
