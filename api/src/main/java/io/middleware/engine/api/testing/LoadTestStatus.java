package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.OneOf;
import java.util.List;

/** The observed state of a LoadTest. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("The observed state; written by the engine.")
public record LoadTestStatus(
    @JsonPropertyDescription(
            "Pending until a run begins it, or Suspended; then Waiting for the target, Running, and in "
                + "the end how it has ended, which is final.")
        @OneOf({
          "Pending",
          "Suspended",
          "Waiting",
          "Running",
          "Passed",
          "Failed",
          "Cancelled",
          "Rejected"
        })
        String phase,
    @JsonPropertyDescription("What it waits for, what it does, or why it ended, for people.")
        @Size(max = 32768)
        String message,
    @JsonPropertyDescription(
            "One word for why it failed or was rejected, for example CheckFailed, WorkloadFailed, "
                + "TimedOut, InvalidSpec; absent otherwise.")
        @Size(max = 256)
        String reason,
    @JsonPropertyDescription("The target, for example App cache.") @Size(max = 512) String target,
    @JsonPropertyDescription("How many times it was checked.") @Min(0) Integer checkCount,
    @JsonPropertyDescription("How many checks held.") @Min(0) Integer passCount,
    @JsonPropertyDescription("How many checks did not hold.") @Min(0) Integer failCount,
    @JsonPropertyDescription("How many checks did not hold in a row, up to the last one.") @Min(0)
        Integer consecutiveFailures,
    @JsonPropertyDescription("What the last check found, one for each condition.") @Size(max = 16)
        List<TestCheckResult> lastResults,
    @JsonPropertyDescription("Id of its workflow, for example load/shop/benchmark.")
        @Size(max = 512)
        String workflowId,
    @JsonPropertyDescription("Id of the workflow's run.") @Size(max = 128) String runId,
    @JsonPropertyDescription("When it began, in RFC 3339.") @Size(max = 64) String startedAt,
    @JsonPropertyDescription("When the load began; absent until then.") @Size(max = 64)
        String loadStartedAt,
    @JsonPropertyDescription("When it ended; absent until then.") @Size(max = 64)
        String completedAt) {
  public static final String PENDING = "Pending";
  public static final String SUSPENDED = "Suspended";
  public static final String WAITING = "Waiting";
  public static final String RUNNING = "Running";
  public static final String PASSED = "Passed";
  public static final String FAILED = "Failed";
  public static final String CANCELLED = "Cancelled";
  public static final String REJECTED = "Rejected";
}
