package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.RunRequest;
import io.middleware.engine.api.schema.OneOf;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/** The observed state of a LoadTest. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("The observed state; written by the engine.")
@RecordBuilder
public record LoadTestStatus(
    @JsonPropertyDescription(
            "Pending until a run begins it, or Suspended; then Waiting for the target, Running, "
                + "and finally its outcome, which does not change again.")
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
    @JsonPropertyDescription("When it was checked last, in RFC 3339.") @Size(max = 64)
        String lastCheckedAt,
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
        String completedAt)
    implements RunRequest.Status, LoadTestStatusBuilder.With {
  public static final String PENDING = "Pending";
  public static final String SUSPENDED = "Suspended";
  public static final String WAITING = "Waiting";
  public static final String RUNNING = "Running";
  public static final String PASSED = "Passed";
  public static final String FAILED = "Failed";
  public static final String CANCELLED = "Cancelled";
  public static final String REJECTED = "Rejected";

  /** Of one that no run has begun. */
  public static LoadTestStatus waiting(String phase, String why) {
    return LoadTestStatusBuilder.builder().phase(phase).message(why).build();
  }

  /** The same, begun by this run; what an earlier run of the same LoadTest has found stays. */
  public LoadTestStatus begun(String workflow, String run, String at) {
    return with()
        .phase(loadStartedAt == null ? WAITING : RUNNING)
        .message("has begun")
        .reason(null)
        .workflowId(workflow)
        .runId(run)
        .startedAt(startedAt == null ? at : startedAt)
        .completedAt(null)
        .build();
  }

  /** The same with this message. */
  public LoadTestStatus saying(String text) {
    return withMessage(text);
  }

  /** The same with this target. */
  public LoadTestStatus on(String found) {
    return withTarget(found);
  }

  /** The same when the load has begun. */
  public LoadTestStatus loaded(String text, String at) {
    return with().phase(RUNNING).message(text).loadStartedAt(at).build();
  }

  /**
   * The same after a check.
   *
   * @param passes how many checks held
   * @param failures how many did not
   * @param inARow how many of these came last
   * @param at in RFC 3339
   */
  public LoadTestStatus counted(
      int passes, int failures, int inARow, String at, List<TestCheckResult> results) {
    return with()
        .checkCount(passes + failures)
        .passCount(passes)
        .failCount(failures)
        .consecutiveFailures(inARow)
        .lastCheckedAt(at)
        .lastResults(results)
        .build();
  }

  /**
   * The same, ended.
   *
   * @param outcome one of the phases of an end
   * @param word why it failed or was rejected; null for others
   * @param at in RFC 3339
   */
  public LoadTestStatus ended(String outcome, String word, String why, String at) {
    return with().phase(outcome).reason(word).message(why).completedAt(at).build();
  }
}
