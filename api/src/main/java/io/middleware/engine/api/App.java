package io.middleware.engine.api;

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
import io.middleware.engine.api.task.ChangeOutcome;
import java.util.Optional;

/** What a user wants to run. */
@io.fabric8.kubernetes.model.annotation.Group("middleware.io")
@Version("v1")
@Plural("apps")
@ShortNames("mwapp")
@Categories("middleware")
@JsonClassDescription(
    "What a user wants to run: a plugin, a version, components with their groups of "
        + "pods. The engine deploys and changes it.")
@AdditionalPrinterColumn(name = "Plugin", jsonPath = ".spec.plugin.name")
@AdditionalPrinterColumn(name = "Runtime", jsonPath = ".status.runtime")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.ready")
@AdditionalPrinterColumn(name = "Task", jsonPath = ".status.change.currentTask")
@AdditionalPrinterColumn(name = "Reason", jsonPath = PrinterColumns.READY_REASON)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = DATE)
@AdditionalPrinterColumn(
    name = "Generation",
    jsonPath = ".metadata.generation",
    priority = 1,
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Observed",
    jsonPath = ".status.observedGeneration",
    priority = 1,
    type = AdditionalPrinterColumn.Type.INTEGER)
@ValidationRule(
    value = "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    message =
        "the name must consist of lower case letters, digits and dashes, start with a letter and end "
            + "with a letter or digit: pods and services are named after it",
    fieldPath = ".metadata.name",
    reason = "FieldValueForbidden")
@ValidationRule(
    value =
        "self.spec.components.all(c, c.groups.all(g, "
            + "size(self.metadata.name) + size(c.name) + size(g.name) <= 50))",
    message =
        "the names of App, component and group must not exceed 50 characters together: pods and "
            + "their labels are called <app>-<component>-<group>-<ordinal>",
    fieldPath = ".metadata.name",
    reason = "FieldValueForbidden")
@ValidationRule(
    value =
        "self.spec.components.all(a, self.spec.components.all(b, size(b.name) <= size(a.name) "
            + "|| a.groups.all(g, !(a.name + '-' + g.name).startsWith(b.name + '-'))))",
    message =
        "a group would be called <component>-<group> like the groups of another component: "
            + "rename the group or the component",
    fieldPath = ".spec.components",
    reason = "FieldValueForbidden")
@ValidationRule(
    value =
        "!has(self.spec.restoreFrom) || !has(oldSelf.spec.restoreFrom) || "
            + "self.spec.restoreFrom == oldSelf.spec.restoreFrom || !has(self.status) || "
            + "!has(self.status.conditions) || "
            + "!self.status.conditions.exists(c, c.type == 'Restored' && c.status == 'True')",
    message =
        "the App has been restored already, and only a new App can be restored: create another App, "
            + "check it, then switch over to it",
    fieldPath = ".spec.restoreFrom",
    reason = "FieldValueForbidden")
public final class App extends CustomResource<AppSpec, AppStatus> implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** Whether it is being deleted, and what cannot be reached is to be given up. */
  @JsonIgnore
  public boolean isDeletedByForce() {
    var annotations = getMetadata().getAnnotations();
    return isMarkedForDeletion()
        && annotations != null
        && "true".equals(annotations.get(Labels.FORCE_DELETE));
  }

  /** Whether fields that another manager owns are to be taken over. */
  public boolean forcesConflicts() {
    var annotations = getMetadata().getAnnotations();
    return annotations != null && "true".equals(annotations.get(Labels.FORCE_CONFLICTS));
  }

  /**
   * Whether a step may take pods away although data are lost with them.
   *
   * @param generation that the step carries out
   */
  public boolean acceptsDataLoss(long generation) {
    var annotations = getMetadata().getAnnotations();
    return annotations != null
        && String.valueOf(generation).equals(annotations.get(Labels.ACCEPT_DATA_LOSS));
  }

  /**
   * What is to be deployed. Once the App has been deployed with the data of a Backup, that Backup
   * counts no more: what is added later begins empty. Null when the spec cannot be read.
   */
  public AppSpec specToDeploy() {
    return getSpec() != null && getSpec().restoreFrom() != null && isRestored()
        ? getSpec().withoutRestore()
        : getSpec();
  }

  private boolean isRestored() {
    return getStatus() != null
        && getStatus().conditions() != null
        && getStatus().conditions().stream()
            .anyMatch(it -> Reasons.RESTORED.equals(it.getType()) && "True".equals(it.getStatus()));
  }

  /** Whether no further step may begin; a deletion is never held. */
  @JsonIgnore
  public boolean isPaused() {
    return getSpec() != null && Boolean.TRUE.equals(getSpec().paused()) && !isMarkedForDeletion();
  }

  /** Why no Operation can begin, for people; empty when the newest edit has been carried out. */
  public Optional<String> whyBusy() {
    var generation = getMetadata().getGeneration();
    var change = getStatus() == null ? null : getStatus().change();
    if (change == null
        || change.outcome() == null
        || !generation.equals(getStatus().observedGeneration())
        || !generation.equals(getStatus().acceptedGeneration())) {
      return Optional.of("generation %d of the App is carried out first".formatted(generation));
    }
    return ChangeOutcome.REJECTED.label().equals(change.outcome())
        ? Optional.of(
            "generation %d of the App was rejected: correct the App first".formatted(generation))
        : Optional.empty();
  }

  @Override
  protected AppSpec initSpec() {
    return null;
  }

  @Override
  protected AppStatus initStatus() {
    return null;
  }
}
