package io.middleware.engine.planning.derived;

import io.middleware.engine.api.App;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.planning.app.AppRefusedException;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.workflows.port.TaskRef;

/** Derives the values of a component again as a task begins to carry them out. */
public final class DerivedAtBegin {
  private final Plugins plugins;
  private final UsedApps usedApps;

  /**
   * @param usedApps read again, as they may have changed since the plan
   */
  public DerivedAtBegin(Plugins plugins, UsedApps usedApps) {
    this.plugins = plugins;
    this.usedApps = usedApps;
  }

  /**
   * The desired component with its derived values. May be repeated.
   *
   * @param app with the spec that the change carries out
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when there is no value, for
   *     example because an App that is used has been deleted since
   */
  public ComponentSpec into(App app, TaskRef task, ComponentSpec desired) {
    var plugin = plugins.read(task, app.specToDeploy().plugin());
    try {
      var derived =
          new DesiredApp(app.getMetadata().getName(), app.specToDeploy(), plugin)
              .deriving(usedApps.of(app));
      return desired.withDerived(derived.derived().get(desired.component()));
    } catch (AppRefusedException e) {
      throw Faults.of(FaultKind.INVALID, e.refusal().message() + "; then retry the task");
    }
  }
}
