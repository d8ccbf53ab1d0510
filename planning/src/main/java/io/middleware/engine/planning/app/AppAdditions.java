package io.middleware.engine.planning.app;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The components and groups of an App that do not exist yet.
 *
 * @param components the new components
 * @param groups the new groups, including those of new components
 */
public record AppAdditions(List<String> components, List<NewGroup> groups) {

  public static AppAdditions of(DesiredApp desiredApp, List<DeployedComponent> deployed) {
    var components = new ArrayList<String>();
    var groups = new ArrayList<NewGroup>();
    for (var component : desiredApp.components().values()) {
      var was = groups(deployed, component.component());
      if (was == null) {
        components.add(component.component());
      }
      ComponentSpecs.byName(component).values().stream()
          .filter(group -> was == null || !was.containsKey(group.name()))
          .forEach(group -> groups.add(new NewGroup(component, group)));
    }
    return new AppAdditions(List.copyOf(components), List.copyOf(groups));
  }

  public boolean haveVolumes() {
    return groups.stream().anyMatch(group -> !VolumeField.askedBy(group.template()).isEmpty());
  }

  private static Map<String, GroupTemplate> groups(
      List<DeployedComponent> deployed, String component) {
    return deployed.stream()
        .filter(one -> one.component().equals(component))
        .findFirst()
        .map(one -> ComponentSpecs.byName(one.spec()))
        .orElse(null);
  }

  public record NewGroup(ComponentSpec of, GroupTemplate template) {
    public String component() {
      return of.component();
    }

    public String name() {
      return template.name();
    }
  }
}
