package io.middleware.engine.api.change;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Map;

/** How a change is carried out. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.timeouts) || self.timeouts.all(type, type in ['VersionUpgrade', "
            + "'Storage', 'Config', 'Resources', 'Provision', 'Remove', 'Stop', 'Start'])",
    message =
        "the keys of timeouts are types of change: VersionUpgrade, "
            + "Storage, Config, Resources, Provision, Remove, Stop, Start",
    fieldPath = ".timeouts",
    reason = "FieldValueForbidden")
@RecordBuilder
public record ChangeSettings(
    @JsonPropertyDescription(
            "How many times each task is attempted, 1 to 100. Default: the plugin's policy for the "
                + "type of change, otherwise the engine's setting (3).")
        @Min(1)
        @Max(100)
        Integer maxRetries,
    @JsonPropertyDescription(
            "Pause before the second attempt, doubled after each failure, as a number with "
                + "ms, s, m or h. Default: the engine's setting (1s).")
        @Pattern(SchemaPatterns.DURATION)
        @Size(min = 2, max = 8)
        String retryBackoff,
    @JsonPropertyDescription(
            "How long a task may go on without progress, by type of change (VersionUpgrade, "
                + "Storage, Config, Resources, Provision, Remove, Stop, Start), all its "
                + "attempts together, for example {VersionUpgrade: 30m}. The time begins again "
                + "when one more pod has what the task brings, and is ready. Default: the plugin's policy, otherwise the "
                + "engine's setting (300s).")
        @Size(max = 8)
        Map<String, @Pattern(SchemaPatterns.POSITIVE_DURATION) @Size(min = 2, max = 8) String>
            timeouts,
    @JsonPropertyDescription(
            "How many pods of one group may be unavailable at once, pods that are not ready "
                + "included, 1 to 1000. Default: the engine's setting (1).")
        @Min(1)
        @Max(1000)
        Integer batchSize,
    @JsonPropertyDescription(
            "Pause between two batches of pods, as a number with ms, s, m or h. Default: the "
                + "engine's setting (0s).")
        @Pattern(SchemaPatterns.DURATION)
        @Size(min = 2, max = 8)
        String interval,
    @JsonPropertyDescription(
            "What a new edit does while a change runs: Wait lets the change end first; "
                + "Supersede stops it after the pods in hand and plans the new edit from what is deployed. "
                + "Default: Wait.")
        @Default("Wait")
        NewEditPolicy onNewChange,
    @JsonPropertyDescription(
            "What a cancel does to the running task: Rollback restores the previous state, "
                + "Hold leaves everything as it is. Default: Rollback.")
        @Default("Rollback")
        UndoAction onCancel,
    @JsonPropertyDescription(
            "What happens to a failed task: Rollback or Hold, as for onCancel. Default: Hold.")
        @Default("Hold")
        UndoAction onFailure,
    @JsonPropertyDescription(
            "Manual shows the plan in status.plan and waits for an approval; Automatic "
                + "starts at once. Default: Automatic.")
        @Default("Automatic")
        ApprovalMode approval)
    implements ChangeSettingsBuilder.With {}
