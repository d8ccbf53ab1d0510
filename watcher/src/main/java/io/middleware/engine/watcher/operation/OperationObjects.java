package io.middleware.engine.watcher.operation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationStatus;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import java.util.Optional;

/** Operations and their Apps. */
public interface OperationObjects {

  /** The App that the Operation names, as it is now. */
  Optional<App> app(Operation operation);

  /**
   * Writes the status, unless it is there, or the Operation has changed: it is looked at again.
   *
   * @return whether it was written now
   */
  boolean write(Operation seen, OperationStatus status);

  /**
   * Writes an event about the object: an Operation or its App. One that cannot be written is only
   * logged. Publishing twice is harmless.
   */
  void publish(HasMetadata object, ControlOutcome outcome);

  /** Deletes this Operation, and no later one of its name. */
  void delete(Operation operation);
}
