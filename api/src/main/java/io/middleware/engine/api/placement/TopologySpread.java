package io.middleware.engine.api.placement;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.OneOf;
import io.middleware.engine.api.schema.SchemaPatterns;
import org.jspecify.annotations.Nullable;

/** How the pods of a group are spread, as Kubernetes has it; the group's own pods are counted. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TopologySpread(
    @JsonPropertyDescription("How many pods more than elsewhere may be in one place.")
        @Required
        @Min(1)
        @Max(1000)
        Integer maxSkew,
    @JsonPropertyDescription(
            "Label of nodes that tells places apart, for example topology.kubernetes.io/zone.")
        @Required
        @Pattern(SchemaPatterns.LABEL_NAME)
        @Size(min = 1, max = 316)
        String topologyKey,
    @JsonPropertyDescription(
            "What becomes of a pod that would be too many: DoNotSchedule or ScheduleAnyway.")
        @Required
        @OneOf({"DoNotSchedule", "ScheduleAnyway"})
        String whenUnsatisfiable,
    @JsonPropertyDescription(
            "Fewest places that count, with DoNotSchedule. Default: as many as there are.")
        @Min(1)
        @Max(1000)
        @Nullable Integer minDomains,
    @JsonPropertyDescription(
            "Whether only nodes count that match the pods' affinity and nodeSelector: Honor or Ignore. Default: Honor.")
        @OneOf({"Honor", "Ignore"})
        @Nullable String nodeAffinityPolicy,
    @JsonPropertyDescription(
            "Whether only nodes count whose taints the pods tolerate: Honor or Ignore. Default: Ignore.")
        @OneOf({"Honor", "Ignore"})
        @Nullable String nodeTaintsPolicy) {}
