package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** How one kind of middleware is built. */
@io.fabric8.kubernetes.model.annotation.Group("middleware.io")
@Version("v1")
@Plural("plugins")
@ShortNames("mwplugin")
@Categories("middleware")
@JsonClassDescription(
    "How one kind of middleware is built. Lives only in the engine's namespace and is written by administrators.")
@AdditionalPrinterColumn(name = "Plugin", jsonPath = ".spec.name")
@AdditionalPrinterColumn(name = "Version", jsonPath = ".spec.version")
@AdditionalPrinterColumn(name = "Runtime", jsonPath = ".spec.runtimes[0].name")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@ValidationRule(
    value = "self.metadata.name == self.spec.name + '-v' + self.spec.version",
    messageExpression =
        "'the name must be <name>-v<version>, here ' + self.spec.name + '-v' "
            + "+ self.spec.version",
    fieldPath = ".metadata.name",
    reason = "FieldValueForbidden")
public final class Plugin extends CustomResource<PluginSpec, Void> implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected PluginSpec initSpec() {
    return null;
  }

  @Override
  protected Void initStatus() {
    return null;
  }
}
