package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.OneOf;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/** The running change, or the last one if none is running. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
public record ChangeStatus(
    @JsonPropertyDescription("The metadata.generation that is carried out.") @Min(0)
        Long generation,
    @JsonPropertyDescription("Id of its workflow, for example app/shop/cache.") @Size(max = 512)
        String workflowId,
    @JsonPropertyDescription("Id of the workflow's run.") @Size(max = 128) String runId,
    @JsonPropertyDescription("When it started, in RFC 3339, for example 2026-11-21T10:00:00Z.")
        @Size(max = 64)
        String startedAt,
    @JsonPropertyDescription("When it ended; absent while it runs.") @Size(max = 64)
        String completedAt,
    @JsonPropertyDescription("How it ended; absent while it runs.")
        @OneOf({"Succeeded", "Failed", "Cancelled", "Superseded", "Rejected", "Terminated"})
        String outcome,
    @JsonPropertyDescription("Why it ended this way.") @Size(max = 32768) String message,
    @JsonPropertyDescription("Id of the running task, for example 7-versionupgrade-redis-nodes.")
        @Size(max = 253)
        String currentTask,
    @JsonPropertyDescription("The last requests of operators, with their answers.") @Size(max = 16)
        List<@Size(max = 4096) String> requests,
    @JsonPropertyDescription(
            "A step that takes longer than 2 s: what an agent does in a pod, or why a pod cannot be evicted,"
                + " for example pod cache-redis-0: switch over: replicas catch up (40 %).")
        @Size(max = 4096)
        String progress)
    implements ChangeStatusBuilder.With {}
