package io.middleware.engine.api.backup;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.RunRequest;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.OneOf;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The observed state of a Backup. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("The observed state; written by the engine.")
@RecordBuilder
public record BackupStatus(
    @JsonPropertyDescription(
            "Pending until it begins, then InProgress, and finally its outcome. Only a Succeeded "
                + "one can be restored.")
        @OneOf({"Pending", "InProgress", "Succeeded", "Failed", "Cancelled"})
        String phase,
    @JsonPropertyDescription("What it waits for, what it does, or why it ended, for people.")
        @Size(max = 32768)
        String message,
    @JsonPropertyDescription("Groups copied and verified out of all groups, for example 1/2.")
        @Size(max = 32)
        String done,
    @JsonPropertyDescription("Size of all copies, for people, for example 1.2 GiB.") @Size(max = 32)
        String size,
    @JsonPropertyDescription("UID of the App that is backed up.") @Size(max = 64) String appUid,
    @JsonPropertyDescription("Generation of the App's spec that was deployed when it began.")
        @Min(0)
        Long generation,
    @JsonPropertyDescription("The middleware that the App ran.") RuntimeRef runtime,
    @JsonPropertyDescription("The Plugin that the App was built with.") PluginRef plugin,
    @JsonPropertyDescription("Name of the BackupStore with the copies.") @Size(max = 63)
        String store,
    @JsonPropertyDescription("Id of its workflow, for example backup/shop/before-upgrade.")
        @Size(max = 512)
        String workflowId,
    @JsonPropertyDescription("Id of the workflow's run.") @Size(max = 128) String runId,
    @JsonPropertyDescription("When it began, in RFC 3339.") @Size(max = 64) String startedAt,
    @JsonPropertyDescription("When it ended; absent until then.") @Size(max = 64)
        String completedAt,
    @JsonPropertyDescription("The copies of the groups.") @Size(max = 1024) @ListKey("id")
        List<BackupCopy> copies,
    @JsonPropertyDescription(
            "Groups that had no pods when it began, as component/group: it has no copies of them.")
        @Size(max = 1024)
        List<@Size(max = 127) String> withoutPods)
    implements RunRequest.Status, BackupStatusBuilder.With {
  public static final String PENDING = "Pending";
  public static final String IN_PROGRESS = "InProgress";
  public static final String SUCCEEDED = "Succeeded";
  public static final String FAILED = "Failed";
  public static final String CANCELLED = "Cancelled";

  /** Of a Backup that has not begun. */
  public static BackupStatus pending(String message) {
    return BackupStatusBuilder.builder().phase(PENDING).message(message).build();
  }

  /**
   * The same, ended.
   *
   * @param outcome one of the phases of an end
   * @param at in RFC 3339
   */
  public BackupStatus ended(String outcome, String why, String at) {
    return with().phase(outcome).message(why).completedAt(at).build();
  }

  /** The same with this message. */
  public BackupStatus saying(String text) {
    return withMessage(text);
  }

  /** The same, carried out by this run. */
  public BackupStatus by(String workflow, String run) {
    return with().workflowId(workflow).runId(run).build();
  }

  /** The same with these copies; null if there are none. */
  public BackupStatus with(List<BackupCopy> others, String ratio, String total) {
    return with().copies(others).done(ratio).size(total).build();
  }

  /** The copy of a group; empty when there is none. */
  public Optional<BackupCopy> copy(String component, String group) {
    return all().filter(it -> BackupCopy.id(component, group).equals(it.id())).findFirst();
  }

  /** Whether it has a copy of any group of this component. */
  public boolean covers(String component) {
    return all().anyMatch(copy -> copy.id().startsWith(component + "/"));
  }

  /** All copies. */
  public Stream<BackupCopy> all() {
    return Stream.ofNullable(copies).flatMap(List::stream);
  }
}
