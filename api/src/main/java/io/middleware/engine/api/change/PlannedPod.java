package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.OneOf;

/** What would be done to a pod. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlannedPod(
    @JsonPropertyDescription("Name of the pod.") @Size(max = 253) String pod,
    @JsonPropertyDescription("What would be done to it.")
        @OneOf({"Restart", "Reload", "Create", "Delete"})
        String action) {}
