package io.middleware.engine.activities.plan;

import io.middleware.engine.activities.render.GroupRenderer;
import io.middleware.engine.activities.render.guard.RenderedObject;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Plugin;
import java.util.ArrayList;
import java.util.List;

/**
 * What an App comes to with a Plugin where nothing of it exists yet: the checks and templates of a
 * plan, without a cluster. What only the API server can tell of the objects is left open.
 */
public final class OfflinePlan {
  private static final ObservedApp NOTHING = new ObservedApp(List.of(), List.of());

  private final AppRendering renderings;

  public OfflinePlan(GroupRenderer renderer) {
    this.renderings = new AppRendering(renderer);
  }

  /** One of the two. */
  public sealed interface Outcome {

    /** The App is accepted, as far as can be told. */
    record Rendered(List<GroupObjects> groups) implements Outcome {
      public Rendered {
        groups = List.copyOf(groups);
      }
    }

    /**
     * @param reason as the condition Accepted would have it
     * @param message names the field, or the template and the place in it
     */
    record Refused(String reason, String message) implements Outcome {}
  }

  /** The objects of one group, in the order in which they are applied. */
  public record GroupObjects(String component, String group, List<RenderedObject> objects) {
    public GroupObjects {
      objects = List.copyOf(objects);
    }
  }

  /** Both have a spec; writes nothing. */
  public Outcome of(App app, Plugin plugin) {
    var wanted = new DesiredApp(app.getMetadata().getName(), app.getSpec(), plugin.getSpec());
    try {
      return AppValidation.refusal(wanted, NOTHING)
          .map(OfflinePlan::refused)
          .orElseGet(() -> new Outcome.Rendered(groups(app, plugin, wanted)));
    } catch (AppRefusedException e) {
      return refused(e.refusal());
    }
  }

  private List<GroupObjects> groups(App app, Plugin plugin, DesiredApp wanted) {
    var groups = new ArrayList<GroupObjects>();
    for (var component : wanted.components().values()) {
      for (var group : ComponentSpecs.byName(component).keySet()) {
        var objects = renderings.render(app, plugin, ComponentSpecs.groupSpec(component, group));
        groups.add(new GroupObjects(component.component(), group, objects));
      }
    }
    return groups;
  }

  private static Outcome refused(Refusal refusal) {
    return new Outcome.Refused(refusal.reason(), refusal.message());
  }
}
