package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.watcher.change.ChangeRuns;
import io.middleware.engine.watcher.change.OperationRuns;
import java.util.Optional;
import java.util.function.BiFunction;

/** Which workflow carries an Operation out. One that has begun stays where it is. */
public final class OperationCarriers {
  private final AppCarrier exclusive;
  private final OwnCarrier shared;
  private final BiFunction<App, String, Optional<Boolean>> actions;

  /**
   * @param actions whether the App's Plugin says that an action excludes nothing; empty while that
   *     is not known
   */
  public OperationCarriers(
      ChangeRuns exclusive,
      OperationRuns shared,
      BiFunction<App, String, Optional<Boolean>> actions) {
    this.exclusive = new AppCarrier(exclusive);
    this.shared = new OwnCarrier(shared);
    this.actions = actions;
  }

  OperationCarrier of(boolean isShared) {
    return isShared ? shared : exclusive;
  }

  /** Whether its App must be read first, as the App's Plugin decides. */
  static boolean dependsOnPlugin(Operation operation) {
    return !operation.hasBegun() && operation.getSpec().action() == OperationAction.PLUGIN;
  }

  /** Whether the Operation excludes nothing; empty while that is not known. */
  Optional<Boolean> isShared(Operation operation, Optional<App> app) {
    return dependsOnPlugin(operation) && app.isPresent()
        ? actions.apply(app.get(), operation.getSpec().actionName())
        : Optional.of(operation.hasOwnWorkflow());
  }
}
