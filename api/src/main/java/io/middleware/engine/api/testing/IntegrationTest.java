package io.middleware.engine.api.testing;

import static io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type.DATE;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;
import io.middleware.engine.api.RunRequest;

/** Steps that are carried out one after the other, or together, once or in many rounds. */
@Group("test.middleware.io")
@Version("v1")
@Plural("integrationtests")
@ShortNames("mwit")
@Categories("middleware")
@JsonClassDescription(
    "A test of Apps: steps that apply manifests, wait until they are ready, and check what must hold, "
        + "in one round or many.")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Round", jsonPath = ".status.progress")
@AdditionalPrinterColumn(name = "Step", jsonPath = ".status.step")
@AdditionalPrinterColumn(name = "Passed", jsonPath = ".status.passed")
@AdditionalPrinterColumn(name = "Failed", jsonPath = ".status.failed")
@AdditionalPrinterColumn(name = "Message", jsonPath = ".status.message")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = DATE)
@ValidationRule(
    value = "size(self.metadata.name) <= 63",
    message = "the name must not exceed 63 characters",
    fieldPath = ".metadata.name",
    reason = "FieldValueForbidden")
public final class IntegrationTest
    extends CustomResource<IntegrationTestSpec, IntegrationTestStatus>
    implements Namespaced, RunRequest<IntegrationTestSpec, IntegrationTestStatus> {
  private static final long serialVersionUID = 1L;

  @Override
  protected IntegrationTestSpec initSpec() {
    return null;
  }

  @Override
  protected IntegrationTestStatus initStatus() {
    return null;
  }
}
