package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.workflows.ChangeRequest;

/**
 * What a workflow is told.
 *
 * @param plugin name of the Plugin object that the App uses; empty when it cannot be read
 */
public record Signal(ChangeRequest request, String plugin, Cause cause) {

  /** Why it is told. */
  public enum Cause {
    EDIT,
    DELETION,
    LOST_RUN
  }

  static Signal of(App app, Wish wish, Cause cause) {
    return new Signal(wish.request(), plugin(app), cause);
  }

  private static String plugin(App app) {
    if (app.getSpec() == null || app.getSpec().plugin() == null) {
      return "";
    }
    var plugin = app.getSpec().plugin();
    return Labels.pluginName(plugin.name(), plugin.version());
  }
}
