package io.middleware.engine.watcher.operation;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationStatus;
import java.util.Optional;

/** Operations and their Apps. */
public interface OperationObjects {

  /** The App that the Operation names, as it is now. */
  Optional<App> app(Operation operation);

  /** Writes the status, unless it is there, or the Operation has changed: it is looked at again. */
  void write(Operation seen, OperationStatus status);

  /** Deletes this Operation, and no later one of its name. */
  void delete(Operation operation);
}
