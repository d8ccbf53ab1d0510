package io.middleware.engine.api.operation;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.RunRequest;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.OneOf;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The observed state of an Operation. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("The observed state; written by the engine.")
@RecordBuilder
public record OperationStatus(
    @JsonPropertyDescription(
            "Pending until a run begins it, then InProgress, and finally its outcome.")
        @OneOf({
          "Pending",
          "InProgress",
          "Succeeded",
          "Failed",
          "Cancelled",
          "Superseded",
          "Rejected"
        })
        String phase,
    @JsonPropertyDescription("What it waits for, what it does, or why it ended, for people.")
        @Size(max = 32768)
        String message,
    @JsonPropertyDescription(
            "One word for why it failed or was rejected, for example TaskTimedOut; absent otherwise.")
        @Size(max = 256)
        String reason,
    @JsonPropertyDescription("Tasks done out of all tasks, for example 1/2.") @Size(max = 32)
        String done,
    @JsonPropertyDescription("UID of the App that it has begun on.") @Size(max = 64) String appUid,
    @JsonPropertyDescription(
            "Id of its workflow, for example app/shop/cache; op/shop/report-1 for an action that is not "
                + "exclusive.")
        @Size(max = 512)
        String workflowId,
    @JsonPropertyDescription("Id of the workflow's run.") @Size(max = 128) String runId,
    @JsonPropertyDescription("When it began, in RFC 3339.") @Size(max = 64) String startedAt,
    @JsonPropertyDescription("When it ended; absent until then.") @Size(max = 64)
        String completedAt,
    @JsonPropertyDescription("Its tasks, in their order.") @Size(max = 256) @ListKey("id")
        List<TaskStatus> tasks,
    @JsonPropertyDescription("The last requests of operators, with their answers.") @Size(max = 16)
        List<@Size(max = 4096) String> requests,
    @JsonPropertyDescription("The groups whose primary is switched over.")
        @Size(max = 64)
        @ListKey("group")
        List<SwitchoverStatus> switchovers,
    @JsonPropertyDescription("The pods that are rebuilt.") @Size(max = 64) @ListKey("pod")
        List<RebuildStatus> rebuilds,
    @JsonPropertyDescription(
            "The pods on which an action of the Plugin has begun, and the Jobs that run it.")
        @Size(max = 1000)
        @ListKey("pod")
        List<ActionRun> runs)
    implements RunRequest.Status, OperationStatusBuilder.With {

  /** Of an Operation that no run has begun. */
  public static OperationStatus pending(String message) {
    return OperationStatusBuilder.builder().phase("Pending").message(message).build();
  }

  /**
   * The same, ended without a run: actions that are still running are abandoned.
   *
   * @param outcome one of the phases of an end
   * @param at in RFC 3339
   */
  public OperationStatus ended(String outcome, String why, String at) {
    return with()
        .phase(outcome)
        .message(why)
        .completedAt(at)
        .runs(runs == null ? null : runs.stream().map(OperationStatus::withoutRun).toList())
        .build();
  }

  private static ActionRun withoutRun(ActionRun run) {
    return run.isRunning() ? run.abandoned() : run;
  }

  /** The same, carried out by another run. */
  public OperationStatus by(String run) {
    return withRunId(run);
  }

  /** How far this group's switchover is; empty before it begins. */
  public Optional<SwitchoverStatus> switchover(String group) {
    return stream(switchovers).filter(it -> group.equals(it.group())).findFirst();
  }

  /** How far the rebuild of this pod is; empty before it begins. */
  public Optional<RebuildStatus> rebuild(String pod) {
    return stream(rebuilds).filter(it -> pod.equals(it.pod())).findFirst();
  }

  /** The same, where this group's switchover is so far. */
  public OperationStatus with(SwitchoverStatus switchover) {
    var others = stream(switchovers).filter(it -> !switchover.group().equals(it.group()));
    return withSwitchovers(Stream.concat(others, Stream.of(switchover)).toList());
  }

  /** The same, where the rebuild of this pod is so far. */
  public OperationStatus with(RebuildStatus rebuild) {
    var others = stream(rebuilds).filter(it -> !rebuild.pod().equals(it.pod()));
    return withRebuilds(Stream.concat(others, Stream.of(rebuild)).toList());
  }

  /** The same, where the action on this run's pod is so far. */
  public OperationStatus with(ActionRun run) {
    var others = stream(runs).filter(it -> !run.pod().equals(it.pod()));
    return withRuns(Stream.concat(others, Stream.of(run)).toList());
  }

  private static <T> Stream<T> stream(List<T> list) {
    return list == null ? Stream.of() : list.stream();
  }
}
