package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.access.ClientAccess;
import io.middleware.engine.api.change.ApprovalMode;
import io.middleware.engine.api.change.ChangeSettings;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/** What the user wants. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription(
    "What the user wants. A change of it is carried out as an ordered list of "
        + "tasks, shown in status.")
@ValidationRule(
    value = "self.plugin.name == oldSelf.plugin.name",
    messageExpression =
        "'plugin.name is immutable (it is ' + oldSelf.plugin.name + '): create a new App'",
    fieldPath = ".plugin.name",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "!has(self.restoreFrom) || has(oldSelf.restoreFrom)",
    message =
        "only a new App can be restored: create another App, check it, then switch over to it",
    fieldPath = ".restoreFrom",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "!has(self.restoreFrom) || has(self.backup) && has(self.backup.store)",
    message =
        "restoreFrom needs backup.store, the store of that Backup; with enabled: false it takes no backups",
    fieldPath = ".backup",
    reason = "FieldValueRequired")
@RecordBuilder
public record AppSpec(
    @JsonPropertyDescription(
            "The plugin that builds this App, for example {name: redis, version: 1.0.0}. "
                + "Its version may be raised; its name is immutable.")
        @Required
        PluginRef plugin,
    @JsonPropertyDescription(
            "The middleware itself and its version, for example {name: redis, version: "
                + "\"7.2\"}. The plugin must offer it, and allow the upgrade when the version "
                + "changes.")
        @Required
        RuntimeRef runtime,
    @JsonPropertyDescription(
            "Running, or Stopped: no pods, while volumes and configuration are kept and edits "
                + "are deployed without pods. Default: Running.")
        @Default("Running")
        RunState state,
    @JsonPropertyDescription(
            "Whether the running change holds before its next step. The time limit of its "
                + "task does not run while it is paused. Default: false.")
        @Default("false")
        Boolean paused,
    @JsonPropertyDescription(
            "The service account of the App's namespace that the engine impersonates for "
                + "every write of this App, for example shop-deployer. Default: the engine's setting.")
        @Pattern(SchemaPatterns.OBJECT_NAME_OR_EMPTY)
        @Size(max = 253)
        String serviceAccountName,
    @JsonPropertyDescription(
            "What happens to the volumes when the App is deleted: Retain keeps them, Delete "
                + "removes them with their data. A component or group that an edit removes keeps "
                + "its volumes, unless it is Delete and change.approval is Manual. Default: Retain.")
        @Default("Retain")
        DeletionPolicy deletionPolicy,
    @JsonPropertyDescription("The parts of the App, at most 16, each with its own name.")
        @Required
        @Size(min = 1, max = 16)
        @ListKey("name")
        List<ComponentTemplate> components,
    @JsonPropertyDescription(
            "How metrics are exposed, for example {enabled: true, port: 9121, interval: "
                + "30s}. Default: not monitored.")
        Monitoring monitoring,
    @JsonPropertyDescription(
            "The pods that may connect to it as clients, for example {pods: {matchLabels: {app: web}}}, by a "
                + "NetworkPolicy of each group. Its own pods and the engine always may. Default: everybody.")
        ClientAccess access,
    @JsonPropertyDescription(
            "When backups are taken, for example {enabled: true, schedule: \"0 3 * * *\", "
                + "retention: 7, store: nightly}. Default: no backups.")
        BackupSettings backup,
    @JsonPropertyDescription(
            "The Backup that a new App begins with, for example {backup: cache-20261125-030000}. It is "
                + "in the store of spec.backup. It may be changed until the App was deployed with it once, and "
                + "has no effect from then on. Default: the App begins empty.")
        RestoreSource restoreFrom,
    @JsonPropertyDescription(
            "How a change is carried out: time limits, pace, and what happens on a new edit, "
                + "a cancel or a failure.")
        @Default("{}")
        ChangeSettings change,
    @JsonPropertyDescription(
            "Components of other Apps of this namespace that this App works with, at most 16, for "
                + "example [{app: cache, component: redis-nodes}]. Those Apps cannot be deleted "
                + "meanwhile. Default: none.")
        @Size(max = 16)
        List<UsedComponent> uses)
    implements AppSpecBuilder.With {
  /** The same App, beginning empty what it does not have yet. */
  AppSpec withoutRestore() {
    return withRestoreFrom(null);
  }

  /**
   * Whether a component or a group that an edit removes takes its volumes along: only somebody who
   * approves each plan has been told.
   */
  public boolean deletesVolumesOfRemovedParts() {
    return deletionPolicy == DeletionPolicy.DELETE
        && change != null
        && change.approval() == ApprovalMode.MANUAL;
  }

  /** Whether there are to be no pods. */
  @JsonIgnore
  public boolean isStopped() {
    return state == RunState.STOPPED;
  }
}
