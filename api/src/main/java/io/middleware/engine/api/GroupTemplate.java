package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.schema.UntypedContent;
import java.util.Map;

/** One set of equal pods, as the App asks for it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GroupTemplate(
    @JsonPropertyDescription(
            "Name of the group within the component, for example shard-0. Pods are called "
                + "<app>-<component>-<group>-<ordinal>.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 40)
        String name,
    @JsonPropertyDescription("Number of pods, 0 to 1000. Default: 1.")
        @Min(0)
        @Max(1000)
        @Default("1")
        Integer replicas,
    @JsonPropertyDescription(
            "Compute resources of each pod, for example {requests: {cpu: 500m, memory: "
                + "1Gi}, limits: {memory: 1Gi}}. Default: none are requested.")
        Resources resources,
    @JsonPropertyDescription(
            "Volume of each pod, for example {size: 50Gi, storageClassName: fast}. A "
                + "volume that exists may grow, but neither shrink nor be dropped. Default: no "
                + "volume.")
        Storage storage,
    @JsonPropertyDescription(
            "Where pods may run: a Kubernetes affinity with nodeAffinity, podAffinity, "
                + "podAntiAffinity. Default: anywhere.")
        @UntypedContent(UntypedContent.Form.ANYTHING)
        Map<String, Object> affinity,
    @JsonPropertyDescription(
            "Configuration parameters of this group, which override those of the component, for "
                + "example {maxmemory: 2gb}. Default: the component's.")
        @Size(max = 256)
        @UntypedContent(UntypedContent.Form.VALUES)
        Map<String, Object> values) {}
