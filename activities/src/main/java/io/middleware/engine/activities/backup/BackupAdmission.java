package io.middleware.engine.activities.backup;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.backup.BackupComponents.DeployedPart;
import io.middleware.engine.api.App;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.backup.BackupStore;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.workflows.port.BackupActivities.BackupGroup;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides whether an App can be backed up now, and what of it. */
final class BackupAdmission {
  private final KubernetesClient client;
  private final BackupComponents components;
  private final ClusterView view;

  /**
   * @param client with the engine's own rights
   */
  BackupAdmission(KubernetesClient client, BackupComponents components, ClusterView view) {
    this.client = client;
    this.components = components;
    this.view = view;
  }

  /** Whether there is a backup. */
  sealed interface Admission {}

  /**
   * What is backed up, as it is deployed.
   *
   * @param withoutPods the groups, as component/group, that nobody can copy now
   */
  record Admitted(
      App app,
      String store,
      RuntimeRef runtime,
      PluginRef plugin,
      List<BackupGroup> groups,
      List<String> withoutPods)
      implements Admission {}

  /**
   * There is no backup.
   *
   * @param why for people
   */
  record Refused(String why) implements Admission {}

  Admission of(App app) {
    try {
      return why(app).<Admission>map(Refused::new).orElseGet(() -> ofDeployed(app));
    } catch (ApplicationFailure e) {
      if (FaultKind.INVALID.label().equals(e.getType())) {
        return new Refused(e.getOriginalMessage());
      }
      throw e;
    }
  }

  /** Why this App cannot be backed up, whatever is deployed of it. */
  private Optional<String> why(App app) {
    var name = name(app);
    if (app.isMarkedForDeletion()) {
      return Optional.of("App %s is being deleted".formatted(name));
    }
    if (app.getSpec() == null) {
      return Optional.of("App %s cannot be read".formatted(name));
    }
    if (app.getSpec().isStopped()) {
      return Optional.of("App %s is stopped; only running pods are backed up".formatted(name));
    }
    var store = store(app);
    if (store.isEmpty()) {
      return Optional.of(
          "App %s has no spec.backup.store: name a BackupStore of its namespace".formatted(name));
    }
    return store
        .filter(it -> !exists(app.getMetadata().getNamespace(), it))
        .map(
            it ->
                "BackupStore %s/%s, which App %s names in spec.backup.store, does not exist"
                    .formatted(app.getMetadata().getNamespace(), it, name));
  }

  private Admission ofDeployed(App app) {
    var parts = components.of(app);
    if (parts.isEmpty()) {
      return new Refused("App %s is not deployed yet".formatted(name(app)));
    }
    var first = parts.getFirst().plugin();
    var plugin = "Plugin %s %s".formatted(first.name(), first.version());
    if (parts.stream().noneMatch(part -> part.agents().exists())) {
      return new Refused("%s has no agents, which would copy the data".formatted(plugin));
    }
    var data = parts.stream().filter(part -> part.agents().exists() && part.hasData()).toList();
    if (data.isEmpty()) {
      return new Refused(
          "App %s has no component of a type that supports Backup in %s"
              .formatted(name(app), plugin));
    }
    return ofData(app, data);
  }

  private Admission ofData(App app, List<DeployedPart> data) {
    var store = store(app);
    if (data.stream().anyMatch(part -> !part.store().equals(store))) {
      return new Refused(
          "spec.backup.store of App %s is not deployed yet: wait until its change has ended"
              .formatted(name(app)));
    }
    var byPods = data.stream().flatMap(part -> byPods(app, part)).toList();
    if (byPods.isEmpty()) {
      return new Refused("App %s has no groups with data".formatted(name(app)));
    }
    var groups = byPods.stream().filter(GroupPods::any).map(GroupPods::group).toList();
    if (groups.isEmpty()) {
      return new Refused(
          "no group with data of App %s has pods; only running pods are backed up"
              .formatted(name(app)));
    }
    var spec = data.getFirst().spec();
    var withoutPods =
        byPods.stream()
            .filter(it -> !it.any())
            .map(it -> BackupCopy.id(it.group().component(), it.group().group()))
            .toList();
    return new Admitted(
        app, store.orElseThrow(), spec.runtime(), spec.plugin(), groups, withoutPods);
  }

  /** Whether a group is to have any pods. */
  private record GroupPods(BackupGroup group, boolean any) {}

  /** An autoscaler may have set other replicas than the spec has. */
  private Stream<GroupPods> byPods(App app, DeployedPart part) {
    var key = new AppKey(app.getMetadata().getNamespace(), app.getMetadata().getName());
    return part.groups()
        .map(
            group ->
                new GroupPods(
                    group,
                    view.statefulSet(key, group.component(), group.group())
                            .map(Rollout::replicas)
                            .orElseGet(() -> part.replicas(group))
                        > 0));
  }

  private static Optional<String> store(App app) {
    return Optional.ofNullable(app.getSpec().backup()).map(BackupSettings::store);
  }

  private boolean exists(String namespace, String store) {
    return Faults.attempt(
            "read BackupStore %s/%s".formatted(namespace, store),
            () -> client.resources(BackupStore.class).inNamespace(namespace).withName(store).get())
        != null;
  }

  private static String name(App app) {
    return app.getMetadata().getNamespace() + "/" + app.getMetadata().getName();
  }
}
