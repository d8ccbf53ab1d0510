package io.middleware.engine.planning.validation;

import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import java.util.List;
import java.util.stream.Stream;

/**
 * Refuses a Plugin that was edited under its version so that its agents listen elsewhere. Pods name
 * the version of their Plugin: those that run could not be told from those that come.
 */
public final class EditedAgents {
  private EditedAgents() {}

  /** Of the components that the App keeps. */
  public static List<String> problems(DesiredApp desiredApp, List<DeployedComponent> deployed) {
    var desired = desiredApp.components().keySet();
    return problems(
        desiredApp.plugin(),
        deployed.stream().filter(component -> desired.contains(component.component())).toList());
  }

  /**
   * @param plugin with which the components are to be rendered
   */
  public static List<String> problems(PluginSpec plugin, List<DeployedComponent> deployed) {
    var name = Labels.pluginName(plugin.name(), plugin.version());
    return deployed.stream()
        .filter(component -> !component.spec().isStopped())
        .flatMap(component -> problems(component, name, Agents.of(plugin, component.spec().type())))
        .toList();
  }

  private static Stream<String> problems(DeployedComponent component, String plugin, Agents now) {
    return component.groups().entrySet().stream()
        .flatMap(
            group ->
                group.getValue().agents().find(plugin).stream()
                    .filter(was -> !was.listenLike(now))
                    .map(
                        was ->
                            "spec.agent: Plugin %s was edited: the pods of group %s/%s have %s, and new ones would have %s: give the edited Plugin a version of its own"
                                .formatted(
                                    plugin, component.component(), group.getKey(), was, now)));
  }
}
