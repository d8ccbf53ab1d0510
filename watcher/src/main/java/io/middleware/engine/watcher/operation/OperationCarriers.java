package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.watcher.change.ChangeRuns;
import io.middleware.engine.watcher.request.RequestRuns;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Which workflow carries an Operation out. One that has begun stays where it is. */
public final class OperationCarriers {
  private final ChangeRuns exclusive;
  private final LeftOpenRuns leftOpen;
  private final Function<Optional<App>, RequestRuns<Operation>> shared;
  private final BiFunction<App, String, Optional<Boolean>> actions;

  /**
   * @param shared the runs for an App of Operations that exclude nothing
   * @param actions whether the App's Plugin says that an action excludes nothing; empty while that
   *     is not known
   */
  public OperationCarriers(
      ChangeRuns exclusive,
      Function<Optional<App>, RequestRuns<Operation>> shared,
      BiFunction<App, String, Optional<Boolean>> actions,
      InstantSource clock) {
    this.exclusive = exclusive;
    this.leftOpen = new LeftOpenRuns(exclusive, clock);
    this.shared = shared;
    this.actions = actions;
  }

  /**
   * The runs that carry an Operation out.
   *
   * @param app of the Operation; a run is started only where there is one
   */
  RequestRuns<Operation> of(boolean isShared, Optional<App> app) {
    return isShared ? shared.apply(app) : new AppCarrier(exclusive, leftOpen, app);
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
