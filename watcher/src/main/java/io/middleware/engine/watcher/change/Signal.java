package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.workflows.ChangeRequest;
import io.middleware.engine.workflows.RetryRequest;

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
    LOST_RUN,
    RETRY
  }

  static Signal of(App app, Wish wish, Cause cause) {
    return new Signal(wish.request(), plugin(app), cause);
  }

  /** The App's generation once more, for these tasks. */
  public static Signal again(App app, RetryRequest tasks) {
    return new Signal(Wish.request(app).again(tasks), plugin(app), Cause.RETRY);
  }

  private static String plugin(App app) {
    if (app.getSpec() == null || app.getSpec().plugin() == null) {
      return "";
    }
    var plugin = app.getSpec().plugin();
    return Labels.pluginName(plugin.name(), plugin.version());
  }
}
