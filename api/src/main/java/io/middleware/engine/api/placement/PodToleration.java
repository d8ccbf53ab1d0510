package io.middleware.engine.api.placement;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.OneOf;
import io.middleware.engine.api.schema.SchemaPatterns;
import org.jspecify.annotations.Nullable;

/** A taint of nodes that pods tolerate, as Kubernetes has it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PodToleration(
    @JsonPropertyDescription("Key of the taint, for example dedicated. Default: all keys.")
        @Pattern(SchemaPatterns.LABEL_NAME)
        @Size(min = 1, max = 316)
        @Nullable String key,
    @JsonPropertyDescription("Equal, or Exists for any value. Default: Equal.")
        @OneOf({"Equal", "Exists"})
        @Nullable String operator,
    @JsonPropertyDescription("Value of the taint, for example databases. Default: empty.")
        @Size(max = 63)
        @Nullable String value,
    @JsonPropertyDescription(
            "Effect of the taint: NoSchedule, PreferNoSchedule or NoExecute. Default: all effects.")
        @OneOf({"NoSchedule", "PreferNoSchedule", "NoExecute"})
        @Nullable String effect,
    @JsonPropertyDescription(
            "How many seconds a pod stays on a node that gets the taint, with effect NoExecute. Default: for ever.")
        @Min(0)
        @Nullable Long tolerationSeconds) {}
