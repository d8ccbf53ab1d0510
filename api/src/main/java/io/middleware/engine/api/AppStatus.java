package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.change.PendingChange;
import io.middleware.engine.api.change.PlanStatus;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.OneOf;
import io.middleware.engine.api.task.ChangeOutcome;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The observed state of an App. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("The observed state; written by the engine.")
@RecordBuilder
public record AppStatus(
    @JsonPropertyDescription(
            "The last metadata.generation whose change has ended, however it ended.")
        @Min(0)
        Long observedGeneration,
    @JsonPropertyDescription(
            "The newest metadata.generation that a run has taken on or keeps pending.")
        @Min(0)
        Long acceptedGeneration,
    @JsonPropertyDescription("The state in one word, for people. Programs read the conditions.")
        @OneOf({
          "Provisioning",
          "Running",
          "Changing",
          "Paused",
          "AwaitingApproval",
          "Stopped",
          "Degraded",
          "Failed",
          "Rejected",
          "Deleting"
        })
        String phase,
    @JsonPropertyDescription("Ready pods out of the desired pods, for example 8/9.") @Size(max = 32)
        String ready,
    @JsonPropertyDescription(
            "The runtime version that is deployed, for example 7.2; while it changes, or if its change "
                + "was not completed, also the desired one: 7.2 → 7.4.")
        @Size(max = 256)
        String runtime,
    @JsonPropertyDescription("The running change, or the last one if none is running.")
        ChangeStatus change,
    @JsonPropertyDescription("The tasks of that change, in their order.")
        @Size(max = 256)
        @ListKey("id")
        List<TaskStatus> tasks,
    @JsonPropertyDescription("The edit that waits for the running change to end.")
        PendingChange pendingChange,
    @JsonPropertyDescription("The Operation that is being carried out.") RunningOperation operation,
    @JsonPropertyDescription("What would be done, while it awaits approval.") PlanStatus plan,
    @JsonPropertyDescription("The last good backup.") LastBackup backup,
    @JsonPropertyDescription("The schedule by which backups are taken; absent while there is none.")
        BackupScheduleStatus backupSchedule,
    @JsonPropertyDescription("Ready pods by component and group.") @Size(max = 64) @ListKey("name")
        List<ComponentHealth> components,
    @JsonPropertyDescription("Where applications reach the groups, as far as the Plugin says.")
        @Size(max = 256)
        List<AppEndpoint> endpoints,
    @JsonPropertyDescription(
            "By App of spec.uses, the generation whose change had succeeded when this App was last planned; 0 when its last change had not.")
        @Size(max = 16)
        Map<String, Long> usedGenerations,
    @JsonPropertyDescription(
            "Accepted, Reconciling, Ready and Stalled; PendingChange, AwaitingApproval, "
                + "Paused, OrderDegraded, TeardownBlocked, Submitted, BackupOverdue, RolesInconsistent, VolumesAtRisk, ObjectsDrifted, DependenciesMissing, EndpointsOutdated and Restored when they apply.")
        @Size(max = 32)
        List<Condition> conditions)
    implements AppStatusBuilder.With {

  /** How far a long step of the change or the Operation is; null when none is under way. */
  public String progress() {
    if (operation != null) {
      return operation.progress();
    }
    return change == null ? null : change.progress();
  }

  /** The generation that the App is deployed as; empty unless its last change has succeeded. */
  public Optional<Long> succeededGeneration() {
    return Optional.ofNullable(change)
        .filter(it -> ChangeOutcome.SUCCEEDED.label().equals(it.outcome()))
        .map(ChangeStatus::generation);
  }
}
