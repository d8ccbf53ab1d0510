package io.middleware.engine.api.backup;

import static io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type.DATE;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.RunRequest;
import java.util.Optional;

/** One backup of an App: the request for it, its progress and its record. It outlives the App. */
@io.fabric8.kubernetes.model.annotation.Group("middleware.io")
@Version("v1")
@Plural("backups")
@ShortNames("mwbackup")
@Categories("middleware")
@JsonClassDescription(
    "One backup of an App. Create it to take one now; those of a schedule, and those before an "
        + "upgrade, are created by the engine. "
        + "It outlives the App. Its deletion deletes the copies in the store.")
@AdditionalPrinterColumn(name = "App", jsonPath = ".spec.app")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Done", jsonPath = ".status.done")
@AdditionalPrinterColumn(name = "Size", jsonPath = ".status.size")
@AdditionalPrinterColumn(name = "Message", jsonPath = ".status.message")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = DATE)
@ValidationRule(
    value = "size(self.metadata.name) <= 100",
    message = "the name must not exceed 100 characters",
    fieldPath = ".metadata.name",
    reason = "FieldValueForbidden")
public final class Backup extends CustomResource<BackupSpec, BackupStatus>
    implements Namespaced, RunRequest<BackupSpec, BackupStatus> {
  private static final long serialVersionUID = 1L;

  /** Whether it is complete and verified. */
  @JsonIgnore
  public boolean hasSucceeded() {
    return getStatus() != null && BackupStatus.SUCCEEDED.equals(getStatus().phase());
  }

  /** The id of the workflow that created it for a schedule; empty if a person created it. */
  @JsonIgnore
  public Optional<String> scheduledBy() {
    return Optional.ofNullable(getMetadata().getAnnotations())
        .map(annotations -> annotations.get(Labels.SCHEDULED_BY));
  }

  /** Whether a change has taken it before it upgraded the App to this generation. */
  @JsonIgnore
  public boolean isBeforeUpgradeTo(long generation) {
    return beforeUpgrade().equals(Optional.of(String.valueOf(generation)));
  }

  /**
   * Whether it is good, and a change of this App has taken it before an upgrade to the generation.
   */
  @JsonIgnore
  public boolean isGoodFor(String appUid, long generation) {
    return hasSucceeded()
        && !isMarkedForDeletion()
        && isBeforeUpgradeTo(generation)
        && appUid.equals(getStatus().appUid());
  }

  /** The generation of the App before whose upgrade a change has taken it; empty for others. */
  @JsonIgnore
  public Optional<String> beforeUpgrade() {
    return Optional.ofNullable(getMetadata().getLabels())
        .map(labels -> labels.get(Labels.BEFORE_UPGRADE));
  }

  @Override
  protected BackupSpec initSpec() {
    return null;
  }

  @Override
  protected BackupStatus initStatus() {
    return null;
  }
}
