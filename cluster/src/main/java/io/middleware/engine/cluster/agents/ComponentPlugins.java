package io.middleware.engine.cluster.agents;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.TaskRef;

/** The Plugin versions that components are deployed with. */
@FunctionalInterface
interface ComponentPlugins {

  /**
   * The Plugin of the task's component.
   *
   * @throws io.temporal.failure.ApplicationFailure when Component or Plugin cannot be read
   */
  ComponentPlugin of(TaskRef task);

  /**
   * @param type of the component
   */
  record ComponentPlugin(PluginSpec spec, String type) {

    boolean switchesOver() {
      return spec.switchesOver(type);
    }

    /** Whether the task only runs Jobs, of which the agents know nothing. */
    boolean runsJobs(TaskRef task) {
      return task.type() == ChangeType.ACTION
          && task.change().work() instanceof OperationRef operation
          && spec.isJob(type, operation.pluginAction());
    }
  }

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
      return new ComponentPlugin(
          plugins.read(task, component.getSpec().plugin()), component.getSpec().type());
    };
  }
}
