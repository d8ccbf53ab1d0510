package io.middleware.engine.api.placement;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the pods of a group get beside what their Plugin renders. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PodSettings(
    @JsonPropertyDescription("What they are spread over evenly.") @Nullable Spread spread,
    @JsonPropertyDescription("Taints of nodes that they tolerate.") @Size(max = 32)
        @Nullable List<PodToleration> tolerations,
    @JsonPropertyDescription("Labels that their nodes have.") @Size(max = 32)
        @Nullable Map<String, @Size(max = 63) String> nodeSelector,
    @JsonPropertyDescription("How they are spread.") @Size(max = 8)
        @Nullable List<TopologySpread> topologySpreadConstraints,
    @JsonPropertyDescription("Their PriorityClass.") @Size(max = 253)
        @Nullable String priorityClassName,
    @JsonPropertyDescription("Secrets with which their images are pulled.") @Size(max = 16)
        @Nullable List<PullSecret> imagePullSecrets,
    @JsonPropertyDescription("Labels that they get.") @Size(max = 32)
        @Nullable Map<String, @Size(max = 63) String> podLabels,
    @JsonPropertyDescription("Annotations that they get.") @Size(max = 32)
        @Nullable Map<String, @Size(max = 4096) String> podAnnotations) {
  /** Nothing. */
  public static final PodSettings NONE =
      new PodSettings(null, null, null, null, null, null, null, null);

  /** All of them by name, in order; null where the App asks for nothing. */
  public Map<String, @Nullable Object> fields() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("spread", spread);
    fields.put("tolerations", tolerations);
    fields.put("nodeSelector", nodeSelector);
    fields.put("topologySpreadConstraints", topologySpreadConstraints);
    fields.put("priorityClassName", priorityClassName);
    fields.put("imagePullSecrets", imagePullSecrets);
    fields.put("podLabels", podLabels);
    fields.put("podAnnotations", podAnnotations);
    return fields;
  }
}
