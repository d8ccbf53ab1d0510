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

/** Runs load-generating Jobs against an object, and checks conditions meanwhile. */
@Group("test.middleware.io")
@Version("v1")
@Plural("loadtests")
@ShortNames("mwlt")
@Categories("middleware")
@JsonClassDescription(
    "Runs your own load-generating Jobs against an object, such as an App, and checks conditions "
        + "meanwhile.")
@AdditionalPrinterColumn(name = "Target", jsonPath = ".status.target")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Passed", jsonPath = ".status.passCount")
@AdditionalPrinterColumn(name = "Failed", jsonPath = ".status.failCount")
@AdditionalPrinterColumn(name = "Message", jsonPath = ".status.message")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = DATE)
@ValidationRule(
    value = "size(self.metadata.name) <= 63",
    message = "the name must not exceed 63 characters",
    fieldPath = ".metadata.name",
    reason = "FieldValueForbidden")
public final class LoadTest extends CustomResource<LoadTestSpec, LoadTestStatus>
    implements Namespaced, RunRequest<LoadTestSpec, LoadTestStatus> {
  private static final long serialVersionUID = 1L;

  @Override
  protected LoadTestSpec initSpec() {
    return null;
  }

  @Override
  protected LoadTestStatus initStatus() {
    return null;
  }
}
