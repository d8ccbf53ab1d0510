package io.middleware.engine.activities.secrets;

import io.middleware.engine.api.App;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.derived.DerivedAtBegin;
import io.middleware.engine.workflows.port.TaskRef;

/**
 * The values with which a task begins that are not in the App's spec.
 *
 * @param secrets where those of type secret are
 * @param derived those that depend on other components
 */
public record ComponentValues(ComponentSecrets secrets, DerivedAtBegin derived) {

  /**
   * The desired component with all its values. May be repeated.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when one is missing
   */
  public ComponentSpec of(App app, TaskRef task, ComponentTemplate component) {
    var spec =
        ComponentSpecs.desired(
            app.getMetadata().getName(), app.specToDeploy(), secrets.into(app, component));
    return derived.into(app, task, spec);
  }
}
