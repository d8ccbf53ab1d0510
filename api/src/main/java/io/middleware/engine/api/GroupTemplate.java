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
import io.middleware.engine.api.placement.PodSettings;
import io.middleware.engine.api.placement.PodToleration;
import io.middleware.engine.api.placement.PullSecret;
import io.middleware.engine.api.placement.Spread;
import io.middleware.engine.api.placement.TopologySpread;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.schema.UntypedContent;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;

/** One set of equal pods, as the App asks for it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
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
            "Further volumes of each pod, of those that the plugin has, for example [{name: wal, size: "
                + "10Gi}]. One that exists may grow, but neither shrink nor be dropped, and none is "
                + "added beside volumes that exist. Default: none.")
        @Size(max = 16)
        @ListKey("name")
        List<NamedVolume> volumes,
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
        Map<String, Object> values,
    @JsonPropertyDescription(
            "zone or node: pods are spread evenly over zones or nodes, and one that would be too many in one "
                + "place waits. Default: anywhere.")
        Spread spread,
    @JsonPropertyDescription(
            "Taints of nodes that the pods tolerate, for example [{key: dedicated, value: databases, "
                + "effect: NoSchedule}]. Default: those of the plugin.")
        @Size(max = 32)
        List<PodToleration> tolerations,
    @JsonPropertyDescription(
            "Labels that the nodes of the pods must have, for example {disk: nvme}. Default: any.")
        @Size(max = 32)
        Map<String, @Size(max = 63) String> nodeSelector,
    @JsonPropertyDescription(
            "How the pods are spread where spread does not say enough, as Kubernetes has it without "
                + "labelSelector. Default: none.")
        @Size(max = 8)
        @ListKey("topologyKey")
        List<TopologySpread> topologySpreadConstraints,
    @JsonPropertyDescription(
            "PriorityClass of the pods, for example databases. Default: the cluster's.")
        @Pattern(SchemaPatterns.OBJECT_NAME)
        @Size(min = 1, max = 253)
        String priorityClassName,
    @JsonPropertyDescription(
            "Secrets of the namespace with which images are pulled, for example [{name: registry}]. "
                + "Default: those of the pods' service account.")
        @Size(max = 16)
        @ListKey("name")
        List<PullSecret> imagePullSecrets,
    @JsonPropertyDescription(
            "Labels that the pods get beside those of engine and plugin, for example {team: shop}. Default: none.")
        @Size(max = 32)
        Map<String, @Size(max = 63) @Pattern(SchemaPatterns.LABEL_VALUE) String> podLabels,
    @JsonPropertyDescription(
            "Annotations that the pods get beside those of engine and plugin. Default: none.")
        @Size(max = 32)
        Map<String, @Size(max = 4096) String> podAnnotations)
    implements GroupTemplateBuilder.With {
  /** A group whose pods get only what their plugin renders. */
  public GroupTemplate(
      String name,
      Integer replicas,
      Resources resources,
      Storage storage,
      Map<String, Object> affinity,
      Map<String, Object> values) {
    this(
        name, replicas, resources, storage, null, affinity, values, null, null, null, null, null,
        null, null, null);
  }

  /** What its pods get beside what their plugin renders. */
  public PodSettings pods() {
    return new PodSettings(
        spread,
        tolerations,
        nodeSelector,
        topologySpreadConstraints,
        priorityClassName,
        imagePullSecrets,
        podLabels,
        podAnnotations);
  }
}
