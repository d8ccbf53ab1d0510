package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.access.ClientAccess;
import io.middleware.engine.api.placement.PodSettings;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.UntypedContent;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;

/** One set of equal pods as it is deployed, or being deployed; written by the engine. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription(
    "One set of equal pods as it is deployed, or being deployed. Written by the "
        + "engine: edit the App instead.")
@RecordBuilder
public record GroupSpec(
    @JsonPropertyDescription("Name of the App.") @Size(max = 253) String app,
    @JsonPropertyDescription("Name of the component within the App.") @Size(max = 63)
        String component,
    @JsonPropertyDescription("Component type of the plugin.") @Size(max = 63) String type,
    @JsonPropertyDescription("Name of the group within the component.") @Size(max = 63)
        String group,
    @JsonPropertyDescription("The plugin that it is built with.") PluginRef plugin,
    @JsonPropertyDescription("The middleware that it runs.") RuntimeRef runtime,
    @JsonPropertyDescription("Running, or Stopped: no pods.") RunState state,
    @JsonPropertyDescription("Number of pods while it runs.") @Min(0) @Max(1000) Integer replicas,
    @JsonPropertyDescription("Compute resources of each pod.") Resources resources,
    @JsonPropertyDescription("Volume of each pod.") Storage storage,
    @JsonPropertyDescription("Further volumes of each pod.") @Size(max = 16) @ListKey("name")
        List<NamedVolume> volumes,
    @JsonPropertyDescription("Where pods may run: a Kubernetes affinity.")
        @UntypedContent(UntypedContent.Form.ANYTHING)
        Map<String, Object> affinity,
    @JsonPropertyDescription("Configuration parameters as merged from plugin, component and group.")
        @Size(max = 1024)
        @UntypedContent(UntypedContent.Form.VALUES)
        Map<String, Object> values,
    @JsonPropertyDescription("How metrics are exposed.") Monitoring monitoring,
    @JsonPropertyDescription("The pods that may connect to it as clients.") ClientAccess access,
    @JsonPropertyDescription("When backups are taken.") BackupSettings backup,
    @JsonPropertyDescription("UID of the Operation that restarted it last.") @Size(max = 64)
        String restartedBy,
    @JsonPropertyDescription("The Backup that it is filled from, until it is provisioned.")
        RestoreSource restoreFrom,
    @JsonPropertyDescription("What its pods get beside what the plugin renders.") PodSettings pods)
    implements GroupSpecBuilder.With {
  /** A group that no Operation has restarted. */
  public GroupSpec(
      String app,
      String component,
      String type,
      String group,
      PluginRef plugin,
      RuntimeRef runtime,
      RunState state,
      Integer replicas,
      Resources resources,
      Storage storage,
      Map<String, Object> affinity,
      Map<String, Object> values,
      Monitoring monitoring,
      BackupSettings backup) {
    this(
        app,
        component,
        type,
        group,
        plugin,
        runtime,
        state,
        replicas,
        resources,
        storage,
        null,
        affinity,
        values,
        monitoring,
        null,
        backup,
        null,
        null,
        null);
  }

  /** The number of pods while it runs. */
  @JsonIgnore
  public int members() {
    return replicas == null ? 1 : replicas;
  }

  /** Whether there are to be no pods. */
  @JsonIgnore
  public boolean isStopped() {
    return state == RunState.STOPPED;
  }
}
