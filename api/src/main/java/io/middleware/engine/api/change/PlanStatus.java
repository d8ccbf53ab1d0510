package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.ListKey;
import java.util.List;

/** What would be done, for approval. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanStatus(
    @JsonPropertyDescription("The metadata.generation that is planned.") @Min(0) Long generation,
    @JsonPropertyDescription(
            "The value that the annotation middleware.io/approve must have to start exactly "
                + "this plan.")
        @Size(max = 128)
        String hash,
    @JsonPropertyDescription("The tasks, in their order.") @Size(max = 256) @ListKey("id")
        List<TaskStatus> tasks,
    @JsonPropertyDescription("What would be done to pods, in order: the first 2000 of them.")
        @Size(max = 10000)
        List<PlannedPod> pods,
    @JsonPropertyDescription("What would be done to other objects: the first 2000 of them.")
        @Size(max = 10000)
        List<PlannedObject> objects,
    @JsonPropertyDescription(
            "Each value and image of a deployed group that would change, with what it was: by an "
                + "edit of the App, or because another Plugin has another default.")
        @Size(max = 500)
        List<@Size(max = 1024) String> values,
    @JsonPropertyDescription(
            "How many pods and objects are planned besides those that are listed; absent for none.")
        @Min(0)
        Long notListed) {

  public PlanStatus(
      Long generation,
      String hash,
      List<TaskStatus> tasks,
      List<PlannedPod> pods,
      List<PlannedObject> objects,
      List<String> values) {
    this(generation, hash, tasks, pods, objects, values, null);
  }
}
