package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.OneOf;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.Map;

/** How a change is carried out. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.timeouts) || self.timeouts.all(type, type in ['VersionUpgrade', "
            + "'Storage', 'Config', 'Resources', 'Provision', 'Remove', 'Stop', 'Start'])",
    message =
        "timeouts go by type of change, which is one of VersionUpgrade, "
            + "Storage, Config, Resources, Provision, Remove, Stop, Start",
    fieldPath = ".timeouts",
    reason = "FieldValueForbidden")
public record ChangeSettings(
    @JsonPropertyDescription(
            "Attempts in all of each task, 1 to 100. Default: the plugin's policy for the "
                + "type of change, else the engine's setting (3).")
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
            "Time limit of a task by type of change (VersionUpgrade, Storage, Config, "
                + "Resources, Provision, Remove, Stop, Start), all its attempts together, for "
                + "example {VersionUpgrade: 30m}. Default: the plugin's policy, else the engine's "
                + "setting (300s).")
        @Size(max = 8)
        Map<String, @Pattern(SchemaPatterns.POSITIVE_DURATION) @Size(min = 2, max = 8) String>
            timeouts,
    @JsonPropertyDescription(
            "Pods of one group that are in work at once, counting those that are not ready "
                + "anyway, 1 to 1000. Default: the engine's setting (1).")
        @Min(1)
        @Max(1000)
        Integer batchSize,
    @JsonPropertyDescription(
            "Rest between two batches of pods, as a number with ms, s, m or h. Default: the "
                + "engine's setting (0s).")
        @Pattern(SchemaPatterns.DURATION)
        @Size(min = 2, max = 8)
        String interval,
    @JsonPropertyDescription(
            "What a new edit does while a change runs: Wait lets the change end first; "
                + "Supersede stops it after the pods in hand and starts over from what is there. "
                + "Default: Wait.")
        @OneOf({"Wait", "Supersede"})
        @Default("Wait")
        String onNewChange,
    @JsonPropertyDescription(
            "What a cancel does with a group in work: Rollback brings the previous state "
                + "back, Hold leaves all as it is. Default: Rollback.")
        @OneOf({"Rollback", "Hold"})
        @Default("Rollback")
        String onCancel,
    @JsonPropertyDescription("The same for a task that failed. Default: Hold.")
        @OneOf({"Hold", "Rollback"})
        @Default("Hold")
        String onFailure,
    @JsonPropertyDescription(
            "Manual shows what would be done in status.plan and waits until somebody "
                + "approves it; Automatic starts at once. Default: Automatic.")
        @OneOf({"Automatic", "Manual"})
        @Default("Automatic")
        String approval) {}
