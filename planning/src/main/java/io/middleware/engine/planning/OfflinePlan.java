package io.middleware.engine.planning;

import io.middleware.engine.api.App;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.planning.app.AppRefusedException;
import io.middleware.engine.planning.app.AppRendering;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.planning.app.SecretParameters;
import io.middleware.engine.planning.condition.EndpointPolicy;
import io.middleware.engine.planning.operation.ActionRules;
import io.middleware.engine.planning.validation.AppValidation;
import io.middleware.engine.render.GroupRenderer;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.sensitive.SensitiveValues;
import java.util.ArrayList;
import java.util.List;

/**
 * Validates and renders a new App with a Plugin, without a cluster. Checks that only the API server
 * can make are skipped.
 */
public final class OfflinePlan {
  private static final ObservedApp NOTHING = new ObservedApp(List.of(), List.of(), List.of());

  /** A real one is the time at which the Secret was written. */
  private static final String SECRET_VERSION = "1970-01-01T00:00:00Z";

  private final AppRendering rendering;

  public OfflinePlan(GroupRenderer renderer) {
    this.rendering = new AppRendering(renderer);
  }

  /** The App is either rendered or refused. */
  public sealed interface OfflineOutcome {

    /** The App passed all offline checks. */
    record RenderedApp(List<GroupObjects> groups) implements OfflineOutcome {
      public RenderedApp {
        groups = List.copyOf(groups);
      }
    }

    /**
     * @param reason the reason in the condition Accepted
     * @param message names the field, or the template and the place in it
     */
    record RefusedApp(String reason, String message) implements OfflineOutcome {}
  }

  /** The objects of one group, in the order in which they are applied. */
  public record GroupObjects(String component, String group, List<RenderedObject> objects) {
    public GroupObjects {
      objects = List.copyOf(objects);
    }
  }

  /** Renders the App; both objects must have a spec. */
  public OfflineOutcome of(App app, Plugin plugin) {
    var name = app.getMetadata().getName();
    try {
      var asked = new DesiredApp(name, app.getSpec(), plugin.getSpec()).deriving(List.of());
      return AppValidation.refusal(asked, NOTHING, EndpointPolicy.unknown())
          .map(OfflinePlan::refused)
          .orElseGet(() -> new OfflineOutcome.RenderedApp(groups(app, plugin, found(asked))));
    } catch (AppRefusedException e) {
      return refused(e.refusal());
    }
  }

  /** As if all Secrets were there. */
  private static DesiredApp found(DesiredApp asked) {
    var spec = new SecretParameters(asked.app(), asked.spec(), secret -> SECRET_VERSION).spec();
    return asked.with(spec);
  }

  private List<GroupObjects> groups(App app, Plugin plugin, DesiredApp desiredApp) {
    var groups = new ArrayList<GroupObjects>();
    var actions = new ActionRules(rendering, new SensitiveValues());
    for (var component : desiredApp.components().values()) {
      for (var group : ComponentSpecs.byName(component).keySet()) {
        var spec = ComponentSpecs.groupSpec(component.restoredFrom(null), group);
        var objects = rendering.render(app, plugin, spec);
        actions.check(app, plugin, spec);
        groups.add(new GroupObjects(component.component(), group, objects));
      }
    }
    return groups;
  }

  private static OfflineOutcome refused(Refusal refusal) {
    return new OfflineOutcome.RefusedApp(refusal.reason(), refusal.message());
  }
}
