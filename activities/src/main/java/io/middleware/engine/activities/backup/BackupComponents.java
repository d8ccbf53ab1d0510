package io.middleware.engine.activities.backup;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.plugin.Capability;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.cluster.AppComponents;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.OwnerReferences;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.BackupActivities.BackupGroup;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Components of Apps, as they are deployed, with their Plugins. */
final class BackupComponents {
  private final KubernetesClient client;
  private final Plugins plugins;

  /**
   * @param client with the engine's own rights
   */
  BackupComponents(KubernetesClient client, Plugins plugins) {
    this.client = client;
    this.plugins = plugins;
  }

  /** A Component and the Plugin that it is built with. */
  record DeployedPart(ComponentSpec spec, PluginSpec plugin) {
    /** Whether it has data that its agents can back up. */
    boolean hasData() {
      return Stream.ofNullable(plugin.componentTypes())
          .flatMap(List::stream)
          .filter(type -> spec.type().equals(type.name()))
          .map(ComponentType::supports)
          .anyMatch(supports -> supports != null && supports.contains(Capability.BACKUP));
    }

    AgentEndpoint agents() {
      return AgentQueries.endpoint(plugin);
    }

    /** The store that its pods reach; empty when there is none. */
    Optional<String> store() {
      return Optional.ofNullable(spec.backup()).map(it -> it.store());
    }

    /** How many pods its spec wants of the group. */
    int replicas(BackupGroup group) {
      return spec.groups().stream()
          .filter(it -> it.name().equals(group.group()))
          .findFirst()
          .map(GroupTemplate::replicas)
          .orElse(1);
    }

    Stream<BackupGroup> groups() {
      return Stream.ofNullable(spec.groups())
          .flatMap(List::stream)
          .map(group -> new BackupGroup(spec.component(), group.name()));
    }
  }

  /** The App of this name; empty when there is none. */
  Optional<App> app(String namespace, String name) {
    return Faults.read(
        "App %s/%s".formatted(namespace, name),
        client.resources(App.class).inNamespace(namespace).withName(name));
  }

  /**
   * The Components of the App, by name.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when a Plugin is missing
   */
  List<DeployedPart> of(App app) {
    return AppComponents.labelled(client, app).stream()
        .filter(component -> component.getSpec() != null && isOf(app, component))
        .map(Component::getSpec)
        .sorted(Comparator.comparing(ComponentSpec::component))
        .map(spec -> new DeployedPart(spec, plugins.read(spec.plugin()).getSpec()))
        .toList();
  }

  /** Names of the Backups from which Apps of the namespace are being restored. */
  Set<String> restoring(String namespace) {
    var begun =
        Faults.attempt(
            "list Components of namespace " + namespace,
            () ->
                client.resources(Component.class).inNamespace(namespace).list().getItems().stream()
                    .map(Component::getSpec)
                    .filter(spec -> spec != null && spec.restoreFrom() != null)
                    .map(spec -> spec.restoreFrom().backup())
                    .toList());
    var asked =
        Faults.attempt(
            "list Apps of namespace " + namespace,
            () ->
                client.resources(App.class).inNamespace(namespace).list().getItems().stream()
                    .filter(app -> app.getSpec() != null && app.getSpec().restoreFrom() != null)
                    .filter(BackupComponents::hasNotBegun)
                    .map(app -> app.getSpec().restoreFrom().backup())
                    .toList());
    return Stream.concat(begun.stream(), asked.stream()).collect(Collectors.toSet());
  }

  private static boolean hasNotBegun(App app) {
    return app.getStatus() == null || app.getStatus().observedGeneration() == null;
  }

  /**
   * Before an upgrade what a deleted App has left behind is copied as it is, not taken over yet.
   */
  private static boolean isOf(App app, Component component) {
    return !component.isMarkedForDeletion()
        && (OwnerReferences.owns(app, component)
            || OwnerReferences.isLeftBehind(app.getMetadata().getName(), component));
  }
}
