package io.middleware.engine.api.task;

import static java.util.Objects.requireNonNull;

/**
 * An action of the Plugin that a task runs on its groups as a step of its own.
 *
 * @param point where in the task
 * @param action name of the action of the component's type
 */
public record TaskHook(HookPoint point, String action) {
  public TaskHook {
    requireNonNull(point, "point");
    requireNonNull(action, "action");
  }
}
