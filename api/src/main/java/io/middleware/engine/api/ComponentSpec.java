package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.access.ClientAccess;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.UntypedContent;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One part of an App as it is deployed, or being deployed; written by the engine. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
@JsonClassDescription(
    "One part of an App as it is deployed, or being deployed. Written by the "
        + "engine: edit the App instead.")
public record ComponentSpec(
    @JsonPropertyDescription("Name of the App that owns it.") @Size(max = 253) String app,
    @JsonPropertyDescription("Name of the component within the App.") @Size(max = 63)
        String component,
    @JsonPropertyDescription("Component type of the plugin.") @Size(max = 63) String type,
    @JsonPropertyDescription("The plugin that it is built with.") PluginRef plugin,
    @JsonPropertyDescription("The middleware that it runs.") RuntimeRef runtime,
    @JsonPropertyDescription("Running, or Stopped: no pods.") RunState state,
    @JsonPropertyDescription("Configuration parameters as the App gives them.")
        @Size(max = 256)
        @UntypedContent(UntypedContent.Form.VALUES)
        Map<String, Object> values,
    @JsonPropertyDescription("Its groups.") @Size(max = 64) @ListKey("name")
        List<GroupTemplate> groups,
    @JsonPropertyDescription("How metrics are exposed.") Monitoring monitoring,
    @JsonPropertyDescription("The pods that may connect to it as clients.") ClientAccess access,
    @JsonPropertyDescription("When backups are taken.") BackupSettings backup,
    @JsonPropertyDescription("By group, the UID of the Operation that restarted it last.")
        @Size(max = 64)
        Map<String, @Size(max = 64) String> restarts,
    @JsonPropertyDescription("The Backup that it is filled from, until it is provisioned.")
        RestoreSource restoreFrom,
    @JsonPropertyDescription(
            "Values of parameters that the plugin derives from other components, as the App gives none.")
        @Size(max = 256)
        @UntypedContent(UntypedContent.Form.VALUES)
        Map<String, Object> derived) {
  /** A Component whose groups no Operation has restarted. */
  public ComponentSpec(
      String app,
      String component,
      String type,
      PluginRef plugin,
      RuntimeRef runtime,
      RunState state,
      Map<String, Object> values,
      List<GroupTemplate> groups,
      Monitoring monitoring,
      BackupSettings backup) {
    this(
        app,
        component,
        type,
        plugin,
        runtime,
        state,
        values,
        groups,
        monitoring,
        null,
        backup,
        null,
        null,
        null);
  }

  /** The same, whose groups these Operations have restarted last. */
  public ComponentSpec withRestarts(Map<String, String> operations) {
    return with().restarts(orNull(operations)).build();
  }

  /** The same, filled from this Backup; from nothing if null. */
  public ComponentSpec restoredFrom(RestoreSource source) {
    return with().restoreFrom(source).build();
  }

  /** The same with these derived values. */
  public ComponentSpec withDerived(Map<String, Object> values) {
    return with().derived(orNull(values)).build();
  }

  /** The same, to which these clients may connect; everybody if null. */
  public ComponentSpec withAccess(ClientAccess clients) {
    return with().access(clients).build();
  }

  private ComponentSpecBuilder with() {
    return ComponentSpecBuilder.builder(this);
  }

  private static <T> Map<String, T> orNull(Map<String, T> map) {
    return map == null || map.isEmpty() ? null : new TreeMap<>(map);
  }

  /** Whether there are to be no pods. */
  @JsonIgnore
  public boolean isStopped() {
    return state == RunState.STOPPED;
  }
}
