package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.check.CheckResult;
import io.middleware.engine.api.schema.OneOf;
import java.util.List;

/** One task of the change. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskStatus(
    @JsonPropertyDescription(
            "Id: <generation>-<type>-<component>, for example 7-versionupgrade-redis-nodes.")
        @Size(min = 1, max = 253)
        String id,
    @JsonPropertyDescription("What the task does.")
        @OneOf({
          "Backup",
          "Check",
          "VersionUpgrade",
          "Storage",
          "Config",
          "Resources",
          "Provision",
          "Remove",
          "Stop",
          "Start",
          "Restart",
          "Reapply",
          "Switchover",
          "Rebuild",
          "RotateSecrets",
          "Action"
        })
        String type,
    @JsonPropertyDescription("What changes from what to what, for people.") @Size(max = 32768)
        String description,
    @JsonPropertyDescription("Priority P0 (first) to P3, as 0 to 3.") @Min(0) @Max(3)
        Integer priority,
    @JsonPropertyDescription(
            "Name of the component that it changes, or of the App if it changes no component, as a "
                + "Backup.")
        @Size(max = 253)
        String component,
    @JsonPropertyDescription("Ids of the tasks that must be done first.") @Size(max = 256)
        List<@Size(max = 253) String> dependencies,
    @JsonPropertyDescription("State of the task.")
        @OneOf({"Pending", "InProgress", "RetryPending", "Done", "Failed", "Skipped", "Cancelled"})
        String status,
    @JsonPropertyDescription("Number of attempts so far.") @Min(0) Integer attempts,
    @JsonPropertyDescription("Maximum number of attempts.") @Min(0) Integer maxRetries,
    @JsonPropertyDescription("Its time limit, for example 10m.") @Size(max = 64) String timeout,
    @JsonPropertyDescription("When it started, in RFC 3339.") @Size(max = 64) String startedAt,
    @JsonPropertyDescription("When it ended, in RFC 3339; absent until it has ended.")
        @Size(max = 64)
        String completedAt,
    @JsonPropertyDescription("Why it failed.") TaskError error,
    @JsonPropertyDescription(
            "What was done, reverted and not touched when the task was cancelled or rolled back.")
        TaskResult result,
    @JsonPropertyDescription(
            "The checks of the task and their results; at most the last 64 that were decided.")
        @Size(max = 64)
        List<CheckResult> checks) {

  /** The same task with these checks; null for none. */
  public TaskStatus withChecks(List<CheckResult> results) {
    return new TaskStatus(
        id,
        type,
        description,
        priority,
        component,
        dependencies,
        status,
        attempts,
        maxRetries,
        timeout,
        startedAt,
        completedAt,
        error,
        result,
        results);
  }
}
