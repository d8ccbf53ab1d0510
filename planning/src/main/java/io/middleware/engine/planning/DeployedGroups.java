package io.middleware.engine.planning;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.middleware.engine.api.AgentsByPlugin;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.planning.app.DeployedGroup;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was rendered and applied of an App's groups. */
record DeployedGroups(Plugins plugins) {

  /** By component and group. */
  Map<String, Map<String, DeployedGroup>> of(List<Group> groups) {
    return groups.stream()
        .filter(group -> label(group, Labels.COMPONENT) != null)
        .filter(group -> label(group, Labels.GROUP) != null)
        .collect(
            groupingBy(
                group -> label(group, Labels.COMPONENT),
                toMap(group -> label(group, Labels.GROUP), this::deployed, (one, twin) -> one)));
  }

  private DeployedGroup deployed(Group group) {
    var revision =
        Optional.ofNullable(group.getMetadata().getAnnotations())
            .map(annotations -> annotations.get(Labels.PLUGIN_REVISION));
    return new DeployedGroup(
        Optional.ofNullable(group.getSpec()).flatMap(it -> plugins.deployed(revision, it.plugin())),
        inventory(group),
        AgentsByPlugin.of(group),
        Optional.ofNullable(group.getSpec()).map(GroupSpec::runtime),
        true);
  }

  private static List<InventoryItem> inventory(Group group) {
    return group.getStatus() == null || group.getStatus().inventory() == null
        ? List.of()
        : group.getStatus().inventory();
  }

  private static String label(Group group, String name) {
    return group.getMetadata().getLabels().get(name);
  }
}
