package io.middleware.engine.api.operation;

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
import io.middleware.engine.api.RunRequest;
import io.middleware.engine.api.task.WorkflowIds;

/** Work on an App that is done once and changes no spec. */
@io.fabric8.kubernetes.model.annotation.Group("middleware.io")
@Version("v1")
@Plural("operations")
@ShortNames("mwop")
@Categories("middleware")
@JsonClassDescription("One-time work on an App that does not change its spec, such as a restart.")
@AdditionalPrinterColumn(name = "App", jsonPath = ".spec.app")
@AdditionalPrinterColumn(name = "Action", jsonPath = ".spec.action")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Done", jsonPath = ".status.done")
@AdditionalPrinterColumn(name = "Message", jsonPath = ".status.message")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = DATE)
@ValidationRule(
    value = "size(self.metadata.name) <= 63",
    message = "the name must not exceed 63 characters",
    fieldPath = ".metadata.name",
    reason = "FieldValueForbidden")
public final class Operation extends CustomResource<OperationSpec, OperationStatus>
    implements Namespaced, RunRequest<OperationSpec, OperationStatus> {
  private static final long serialVersionUID = 1L;

  /** Whether its run is a workflow of its own, beside changes and other Operations. */
  @JsonIgnore
  public boolean hasOwnWorkflow() {
    return hasBegun()
        && getStatus().workflowId() != null
        && WorkflowIds.isOperation(getStatus().workflowId());
  }

  @Override
  protected OperationSpec initSpec() {
    return null;
  }

  @Override
  protected OperationStatus initStatus() {
    return null;
  }
}
