package io.middleware.engine.api;

import static io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type.DATE;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** One set of equal pods of a Component. */
@io.fabric8.kubernetes.model.annotation.Group("middleware.io")
@Version("v1")
@Plural("groups")
@ShortNames("mwgroup")
@Categories("middleware")
@JsonClassDescription(
    "One set of equal pods of a Component. Written by the engine: edit the App instead.")
@AdditionalPrinterColumn(name = "App", jsonPath = ".spec.app")
@AdditionalPrinterColumn(name = "Component", jsonPath = ".spec.component")
@AdditionalPrinterColumn(name = "Runtime", jsonPath = ".spec.runtime.version")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.ready")
@AdditionalPrinterColumn(name = "Primary", jsonPath = ".status.primary")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = DATE)
@AdditionalPrinterColumn(name = "Reason", jsonPath = PrinterColumns.READY_REASON, priority = 1)
@AdditionalPrinterColumn(name = "Storage", jsonPath = ".spec.storage.size", priority = 1)
public final class Group extends CustomResource<GroupSpec, GroupStatus> implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected GroupSpec initSpec() {
    return null;
  }

  @Override
  protected GroupStatus initStatus() {
    return null;
  }
}
