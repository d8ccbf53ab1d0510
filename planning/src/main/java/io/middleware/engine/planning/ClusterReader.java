package io.middleware.engine.planning;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.json.LenientObjects;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.cluster.AppComponents;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.OwnerReferences;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.planning.app.AppAdditions;
import io.middleware.engine.planning.app.AppRefusedException;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DeployedGroup;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.FieldPaths;
import io.middleware.engine.planning.app.ObservedApp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads from the API server the current state that a plan is made from. */
public final class ClusterReader {
  private final KubernetesClient client;
  private final String systemNamespace;
  private final LenientObjects objects;
  private final Plugins plugins;
  private final ClusterVolumes volumes;

  /**
   * @param client with the engine's own rights
   * @param systemNamespace the namespace of the Plugins
   * @param objects the reader of the client, which knows why an object is unreadable
   * @param plugins reads the Plugins that groups were rendered with
   */
  public ClusterReader(
      KubernetesClient client, String systemNamespace, LenientObjects objects, Plugins plugins) {
    this.plugins = plugins;
    this.client = client;
    this.systemNamespace = systemNamespace;
    this.objects = objects;
    this.volumes = new ClusterVolumes(client);
  }

  /**
   * The Plugin that an App names. One that has been deleted counts as it was last for an App that
   * is deployed with it, so that this App can be changed and stopped.
   *
   * @throws AppRefusedException when the Plugin does not exist or cannot be read
   */
  Plugin plugin(App app, PluginRef ref) {
    var plugin =
        find(ref)
            .or(() -> isDeployed(app, ref) ? plugins.kept(ref) : Optional.empty())
            .orElseThrow(() -> new AppRefusedException(Reasons.PLUGIN_NOT_FOUND, notFound(ref)));
    if (plugin.getSpec() == null) {
      throw new AppRefusedException(
          Reasons.PLUGIN_INVALID,
          "spec.plugin: Plugin %s/%s cannot be read: %s"
              .formatted(systemNamespace, plugin.getMetadata().getName(), why(plugin)));
    }
    return plugin;
  }

  private boolean isDeployed(App app, PluginRef ref) {
    return components(app).stream()
        .anyMatch(part -> part.getSpec() != null && ref.equals(part.getSpec().plugin()));
  }

  /** The revisions of the Plugins. */
  Plugins plugins() {
    return plugins;
  }

  /** The Plugin that an App names, even when its spec cannot be read. */
  Optional<Plugin> find(PluginRef ref) {
    var name = Labels.pluginName(ref.name(), ref.version());
    return Faults.read(
        "Plugin " + name,
        client.resources(Plugin.class).inNamespace(systemNamespace).withName(name));
  }

  /** The Components of an App, without those that it has not taken over yet. */
  List<Component> components(App app) {
    return AppComponents.labelled(client, app).stream()
        .filter(component -> OwnerReferences.owns(app, component))
        .toList();
  }

  /**
   * The Components that go with an App. When the App is deleted with {@code --cascade=foreground},
   * the garbage collector takes them away from it, because they have another owner as well. It does
   * the same with {@code --cascade=orphan}, when they are to stay. In that case it also leaves the
   * kept specs without an owner, which it deletes otherwise. It may do so at this moment: the
   * Components are read once.
   */
  List<Component> componentsToRemove(App app) {
    var labelled = AppComponents.labelled(client, app);
    var owned = labelled.stream().filter(it -> OwnerReferences.owns(app, it)).toList();
    var taken =
        labelled.stream()
            .filter(it -> isLeftBehind(app.getMetadata().getName(), it))
            .filter(it -> OwnerReferences.wasOf(app, it))
            .toList();
    return taken.isEmpty() || hasOrphanedSpecs(app)
        ? owned
        : Stream.concat(owned.stream(), taken.stream()).toList();
  }

  /** An older engine has kept specs without the uid: then nothing is removed. */
  private boolean hasOrphanedSpecs(App app) {
    var namespace = app.getMetadata().getNamespace();
    return Faults.list(
            "ControllerRevisions in " + namespace,
            client
                .resources(ControllerRevision.class)
                .inNamespace(namespace)
                .withLabel(Labels.APP, app.getMetadata().getName())
                .withoutLabel(Labels.COMPONENT))
        .stream()
        .filter(kept -> kept.getMetadata().getOwnerReferences().isEmpty())
        .anyMatch(
            kept ->
                OwnerReferences.wasOf(app, kept)
                    || !kept.getMetadata().getLabels().containsKey(Labels.APP_UID));
  }

  /**
   * Reads the deployed state of an App, from which a change starts. What a deleted App of the same
   * name has left behind is part of it.
   *
   * @throws AppRefusedException when a Component cannot be read
   */
  ObservedApp observe(App app, DesiredApp desiredApp) {
    var groups = new DeployedGroups(plugins).of(groups(app));
    var deployed =
        AppComponents.labelled(client, app).stream()
            .flatMap(component -> observed(app, component, groups))
            .toList();
    return new ObservedApp(
        new StartedPods(client).in(app, deployed),
        volumes.volumeClaims(app),
        asksForPods(desiredApp, deployed) ? volumes.pods(app) : List.of());
  }

  private static boolean asksForPods(DesiredApp desiredApp, List<DeployedComponent> deployed) {
    return deployed.stream()
        .anyMatch(was -> !was.everFinished() || desiredApp.addsStorage(was.spec()));
  }

  ClusterVolumes volumes() {
    return volumes;
  }

  /**
   * The deployed Components of an App.
   *
   * @throws AppRefusedException when one cannot be read
   */
  List<DeployedComponent> deployed(App app) {
    var groups = new DeployedGroups(plugins).of(groups(app));
    return components(app).stream().map(component -> deployed(component, groups)).toList();
  }

  private List<Group> groups(App app) {
    var metadata = app.getMetadata();
    return Faults.list(
        "Groups of App " + metadata.getName(),
        client
            .resources(Group.class)
            .inNamespace(metadata.getNamespace())
            .withLabel(Labels.APP, metadata.getName()));
  }

  /** Problems with new components and groups whose object names belong to other Apps. */
  List<String> conflictingNames(App app, AppAdditions additions) {
    var problems = new ArrayList<String>();
    var name = app.getMetadata().getName();
    additions
        .components()
        .forEach(
            component ->
                other(app, Component.class, Labels.componentName(name, component))
                    .map(other -> FieldPaths.component(component) + ": " + other)
                    .ifPresent(problems::add));
    additions
        .groups()
        .forEach(
            group ->
                other(app, Group.class, Labels.groupName(name, group.component(), group.name()))
                    .map(other -> FieldPaths.group(group.component(), group.name()) + ": " + other)
                    .ifPresent(problems::add));
    return problems;
  }

  /** Why the spec of an object is missing or unreadable. */
  String why(HasMetadata object) {
    return objects.whyUnreadable(object).orElse("it has no spec");
  }

  private <T extends HasMetadata> Optional<String> other(App app, Class<T> kind, String name) {
    return Faults.read(
            kind.getSimpleName() + " " + name,
            client.resources(kind).inNamespace(app.getMetadata().getNamespace()).withName(name))
        .map(object -> object.getMetadata().getLabels())
        .map(labels -> labels.get(Labels.APP))
        .filter(owner -> !owner.equals(app.getMetadata().getName()))
        .map(
            owner ->
                "%s %s belongs to App %s and not to App %s: choose another name"
                    .formatted(kind.getSimpleName(), name, owner, app.getMetadata().getName()));
  }

  private Stream<DeployedComponent> observed(
      App app, Component component, Map<String, Map<String, DeployedGroup>> groups) {
    if (OwnerReferences.owns(app, component)) {
      return Stream.of(deployed(component, groups));
    }
    return isLeftBehind(app.getMetadata().getName(), component)
        ? Stream.of(deployed(component, groups).asLeftBehind())
        : Stream.empty();
  }

  private static boolean isLeftBehind(String app, Component component) {
    var metadata = component.getMetadata();
    var name = metadata.getLabels().get(Labels.COMPONENT);
    return OwnerReferences.isLeftBehind(app, component)
        && metadata.getName().equals(Labels.componentName(app, name));
  }

  private DeployedComponent deployed(
      Component component, Map<String, Map<String, DeployedGroup>> groups) {
    if (component.getSpec() == null) {
      throw new AppRefusedException(
          Reasons.INVALID_SPEC,
          "Component %s, which holds the deployed spec, cannot be read: %s"
              .formatted(component.getMetadata().getName(), why(component)));
    }
    return DeployedComponent.of(
        component, groups.getOrDefault(component.getSpec().component(), Map.of()));
  }

  /** Whether there is a good Backup that a change has taken before it upgraded to this edit. */
  boolean hasBackupBeforeUpgrade(App app) {
    var metadata = app.getMetadata();
    var generation = String.valueOf(metadata.getGeneration());
    return Faults.list(
            "the Backups of namespace " + metadata.getNamespace(),
            client
                .resources(Backup.class)
                .inNamespace(metadata.getNamespace())
                .withLabel(Labels.BEFORE_UPGRADE, generation))
        .stream()
        .anyMatch(backup -> backup.isGoodFor(metadata.getUid(), metadata.getGeneration()));
  }

  private String notFound(PluginRef ref) {
    var plugins =
        Faults.list("Plugins", client.resources(Plugin.class).inNamespace(systemNamespace));
    var names = plugins.stream().map(plugin -> plugin.getMetadata().getName()).sorted().toList();
    var versions =
        names.stream().filter(name -> name.startsWith(Labels.pluginName(ref.name(), ""))).toList();
    var shown = versions.isEmpty() ? names : versions;
    return "spec.plugin: Plugin %s does not exist in namespace %s; available: %s"
        .formatted(
            Labels.pluginName(ref.name(), ref.version()),
            systemNamespace,
            shown.isEmpty() ? "none" : String.join(", ", shown));
  }
}
