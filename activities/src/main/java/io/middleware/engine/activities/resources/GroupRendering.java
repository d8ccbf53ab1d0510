package io.middleware.engine.activities.resources;

import io.middleware.engine.api.App;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.WrittenStore;
import io.middleware.engine.render.ActionJob;
import io.middleware.engine.render.GroupRenderer;
import io.middleware.engine.render.OutputRefusedException;
import io.middleware.engine.render.TemplateException;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;

/** Renders a group with its Plugin. */
public final class GroupRendering {
  private final Plugins plugins;
  private final GroupRenderer renderer;
  private final SensitiveValues secrets;

  /**
   * @param secrets learn the values of each group that is rendered
   */
  public GroupRendering(Plugins plugins, GroupRenderer renderer, SensitiveValues secrets) {
    this.plugins = plugins;
    this.renderer = renderer;
    this.secrets = secrets;
  }

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it is missing or unreadable
   */
  PluginSpec plugin(GroupSpec group) {
    return plugins.read(group.plugin()).getSpec();
  }

  /**
   * The same, as it was when the change was planned.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it is missing or unreadable
   */
  PluginSpec plugin(TaskRef task, GroupSpec group) {
    return plugins.read(task, group.plugin());
  }

  Plugins plugins() {
    return plugins;
  }

  /** The name of the content that {@link #plugin(TaskRef, GroupSpec)} gives. */
  String revision(TaskRef task, GroupSpec group) {
    return plugins.revision(task, group.plugin());
  }

  /** The Plugin with which an existing Group was rendered last; empty when nobody knows. */
  Optional<PluginSpec> deployed(Group group) {
    var revision =
        Optional.ofNullable(group.getMetadata().getAnnotations())
            .map(annotations -> annotations.get(Labels.PLUGIN_REVISION));
    return plugins.deployed(revision, group.getSpec().plugin());
  }

  /** The BackupStore with which a group is rendered; empty when it has none. */
  Optional<WrittenStore> store(String namespace, GroupSpec group) {
    var backups = renderer.backups();
    return Optional.ofNullable(group.backup())
        .map(BackupSettings::store)
        .flatMap(
            name ->
                backups
                    .store(namespace, name)
                    .or(() -> backups.lastKnownStore(namespace, name))
                    .map(spec -> new WrittenStore(name, spec)));
  }

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when a template has errors or
   *     the output guard refuses an object
   */
  RenderedObjects render(PluginSpec plugin, App app, GroupSpec group) {
    return attempt(
        plugin,
        app,
        group,
        () ->
            renderer.render(
                plugin,
                app.getMetadata().getNamespace(),
                group,
                app.getSpec().serviceAccountName()));
  }

  /**
   * The Job of an action; the secrets among its parameters must be remembered before.
   *
   * @throws io.temporal.failure.ApplicationFailure as {@link #render}
   */
  RenderedObject renderJob(PluginSpec plugin, App app, GroupSpec group, ActionJob job) {
    var namespace = app.getMetadata().getNamespace();
    var account = app.getSpec().serviceAccountName();
    return attempt(
        plugin, app, group, () -> renderer.renderJob(plugin, namespace, group, account, job));
  }

  private <T> T attempt(PluginSpec plugin, App app, GroupSpec group, Supplier<T> rendering) {
    var sensitive = SensitiveParameters.of(plugin);
    secrets.remember(app.getMetadata().getUid(), sensitive, group.values());
    try {
      return rendering.get();
    } catch (TemplateException | OutputRefusedException | NoSuchElementException e) {
      throw Faults.of(FaultKind.INVALID, "render group " + group.group() + ": " + e.getMessage());
    }
  }
}
