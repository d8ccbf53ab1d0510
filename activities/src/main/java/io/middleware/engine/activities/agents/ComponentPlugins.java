package io.middleware.engine.activities.agents;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.Plugins;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.TaskRef;

/** The Plugin version that a component is deployed with. */
@FunctionalInterface
interface ComponentPlugins {

  /**
   * @throws io.temporal.failure.ApplicationFailure when Component or Plugin cannot be read
   */
  PluginSpec of(TaskRef task);

  static ComponentPlugins in(KubernetesClient client, Plugins plugins) {
    return task -> {
      var name = Labels.componentName(task.change().app(), task.component());
      var component =
          Faults.attempt(
              "read Component " + name,
              () ->
                  client
                      .resources(Component.class)
                      .inNamespace(task.change().namespace())
                      .withName(name)
                      .get());
      if (component == null || component.getSpec() == null) {
        throw Faults.of(FaultKind.CONFLICT, "Component " + name + " does not exist");
      }
      return plugins.read(task, component.getSpec().plugin());
    };
  }
}
