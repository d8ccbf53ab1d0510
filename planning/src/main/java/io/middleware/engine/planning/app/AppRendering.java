package io.middleware.engine.planning.app;

import io.middleware.engine.api.App;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginAction;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.render.ActionJob;
import io.middleware.engine.render.BackupSources;
import io.middleware.engine.render.GroupRenderer;
import io.middleware.engine.render.OutputRefusedException;
import io.middleware.engine.render.TemplateException;
import io.middleware.engine.render.guard.RenderedObject;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Supplier;

/** Renders the groups of a desired App and turns template errors into refusals. */
public final class AppRendering {
  private final GroupRenderer renderer;

  public AppRendering(GroupRenderer renderer) {
    this.renderer = renderer;
  }

  /** The same for one plan: it looks up each store and each backup once. */
  public AppRendering forOnePlan() {
    return new AppRendering(renderer.forOnePlan());
  }

  /** Where it looks up stores and backups. */
  public BackupSources backups() {
    return renderer.backups();
  }

  /**
   * @param touched the components that the plan changes
   * @return the objects of the touched components
   * @throws AppRefusedException when a template has errors, or the guard refuses what it renders
   */
  public List<RenderedObject> render(
      App app, Plugin plugin, Collection<ComponentSpec> components, Set<String> touched) {
    var objects = new ArrayList<RenderedObject>();
    for (var component : components) {
      for (var group : ComponentSpecs.byName(component).keySet()) {
        var rendered = render(app, plugin, ComponentSpecs.groupSpec(component, group));
        if (touched.contains(component.component())) {
          objects.addAll(rendered);
        }
      }
    }
    return objects;
  }

  /**
   * @return the objects of one group
   * @throws AppRefusedException when a template has errors, or the guard refuses what it renders
   */
  public List<RenderedObject> render(App app, Plugin plugin, GroupSpec group) {
    var rendered =
        refusing(
            plugin,
            group,
            () ->
                renderer
                    .render(
                        plugin.getSpec(),
                        app.getMetadata().getNamespace(),
                        group,
                        app.getSpec().serviceAccountName())
                    .inOrder());
    var offers =
        new PluginCatalog(plugin.getSpec())
            .type(group.type())
            .map(PluginCatalog::volumes)
            .orElse(List.of());
    new RenderedVolumes(group, offers, rendered)
        .problem()
        .ifPresent(
            problem -> {
              throw refused(Reasons.TEMPLATE_ERROR, plugin, group, problem);
            });
    return rendered;
  }

  /**
   * @return the Job of an action in one group
   * @throws AppRefusedException when its template has errors, or the guard refuses what it renders
   */
  public RenderedObject renderJob(App app, Plugin plugin, GroupSpec group, ActionJob job) {
    return refusing(
        plugin,
        group,
        () ->
            renderer.renderJob(
                plugin.getSpec(),
                app.getMetadata().getNamespace(),
                group,
                app.getSpec().serviceAccountName(),
                job));
  }

  /**
   * @return the messages of an action's preconditions that do not hold in one group
   * @throws AppRefusedException when one has errors
   */
  public List<String> unmet(
      App app,
      Plugin plugin,
      GroupSpec group,
      PluginAction action,
      Map<String, String> parameters) {
    var namespace = app.getMetadata().getNamespace();
    return refusing(
        plugin,
        group,
        () -> renderer.unmet(plugin.getSpec(), namespace, group, action, parameters));
  }

  /**
   * Compiles what an action consists of.
   *
   * @throws AppRefusedException when it has errors
   */
  public void check(Plugin plugin, GroupSpec group, PluginAction action) {
    refusing(
        plugin,
        group,
        () -> {
          renderer.check(group.type(), action);
          return action;
        });
  }

  private static <T> T refusing(Plugin plugin, GroupSpec group, Supplier<T> rendering) {
    try {
      return rendering.get();
    } catch (TemplateException | NoSuchElementException e) {
      throw refused(Reasons.TEMPLATE_ERROR, plugin, group, e.getMessage());
    } catch (OutputRefusedException e) {
      throw refused(Reasons.OUTPUT_REFUSED, plugin, group, e.getMessage());
    } catch (ApplicationFailure e) {
      if (FaultKind.INVALID.label().equals(e.getType())) {
        throw refused(Reasons.TEMPLATE_ERROR, plugin, group, e.getOriginalMessage());
      }
      throw e;
    }
  }

  private static AppRefusedException refused(
      String reason, Plugin plugin, GroupSpec group, String message) {
    return new AppRefusedException(
        reason,
        "Plugin %s, for group %s/%s: %s"
            .formatted(plugin.getMetadata().getName(), group.component(), group.group(), message));
  }
}
