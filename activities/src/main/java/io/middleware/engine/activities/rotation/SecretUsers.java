package io.middleware.engine.activities.rotation;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppComponents;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.OwnerReferences;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.planning.operation.RotatedValues;
import io.middleware.engine.planning.operation.RotatedValues.Use;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the groups of an App that use the secrets of a component.
 *
 * @param client with the engine's own rights
 */
public record SecretUsers(KubernetesClient client, Plugins plugins) {

  /** As they are deployed. */
  SecretsOfComponent of(App app, TaskRef task) {
    var components =
        AppComponents.labelled(client, app).stream()
            .filter(it -> OwnerReferences.owns(app, it) && it.getSpec() != null)
            .map(Component::getSpec)
            .toList();
    var names = components.stream().map(it -> it.component()).toList();
    var own =
        components.stream()
            .filter(it -> it.component().equals(task.component()))
            .findFirst()
            .map(it -> RotatedValues.of(it, plugins.read(task, it.plugin())).own(names))
            .orElseThrow(
                () ->
                    Faults.of(
                        FaultKind.INVALID,
                        "Component %s is gone or cannot be read; no secret of it is rotated"
                            .formatted(task.component())));
    var groups =
        components.stream()
            .flatMap(
                it -> {
                  var plugin = plugins.read(task, it.plugin());
                  return using(
                      RotatedValues.of(it, plugin).among(own), AgentQueries.endpoint(plugin));
                })
            .toList();
    return new SecretsOfComponent(own, groups);
  }

  private static Stream<UsingGroup> using(RotatedValues values, AgentEndpoint agents) {
    return values.uses().stream().collect(Collectors.groupingBy(Use::group)).entrySet().stream()
        .map(
            it ->
                new UsingGroup(values.component().component(), it.getKey(), agents, it.getValue()));
  }
}
