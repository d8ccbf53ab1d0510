package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.RunRequest;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.OneOf;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/** The observed state of an IntegrationTest. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("The observed state; written by the engine.")
@RecordBuilder
public record IntegrationTestStatus(
    @JsonPropertyDescription(
            "Pending until a run begins it, then Running, and finally its outcome, which does not "
                + "change again.")
        @OneOf({"Pending", "Running", "Passed", "Failed", "Cancelled", "Rejected"})
        String phase,
    @JsonPropertyDescription("What it waits for, what it does, or why it ended, for people.")
        @Size(max = 32768)
        String message,
    @JsonPropertyDescription(
            "One word for why it failed or was rejected, for example CheckFailed, TimedOut, "
                + "ApplyRefused, InvalidSpec; absent otherwise.")
        @Size(max = 256)
        String reason,
    @JsonPropertyDescription("Number of the current or last round, from 1.") @Min(0) Integer round,
    @JsonPropertyDescription("The round out of all rounds, for example 7/20.") @Size(max = 32)
        String progress,
    @JsonPropertyDescription("Name of the current step; of one that failed, in the end.")
        @Size(max = 1024)
        String step,
    @JsonPropertyDescription("How many rounds have passed.") @Min(0) Integer passed,
    @JsonPropertyDescription("How many rounds have failed.") @Min(0) Integer failed,
    @JsonPropertyDescription("Id of its workflow, for example test/shop/upgrade.") @Size(max = 512)
        String workflowId,
    @JsonPropertyDescription("Id of the run of the current or last round.") @Size(max = 128)
        String runId,
    @JsonPropertyDescription("When it began, in RFC 3339.") @Size(max = 64) String startedAt,
    @JsonPropertyDescription("When it ended; absent until then.") @Size(max = 64)
        String completedAt,
    @JsonPropertyDescription("The steps of the current or last round, in their order.")
        @Size(max = 65)
        @ListKey("name")
        List<StepStatus> steps,
    @JsonPropertyDescription("The last 20 rounds that have ended, in their order.")
        @Size(max = 20)
        @ListKey("round")
        List<RoundSummary> rounds)
    implements RunRequest.Status, IntegrationTestStatusBuilder.With {
  public static final String PENDING = "Pending";
  public static final String RUNNING = "Running";
  public static final String PASSED = "Passed";
  public static final String FAILED = "Failed";
  public static final String CANCELLED = "Cancelled";
  public static final String REJECTED = "Rejected";
}
