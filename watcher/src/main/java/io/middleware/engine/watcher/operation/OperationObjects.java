package io.middleware.engine.watcher.operation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import java.util.Optional;

/** The Apps of Operations, and what is told of both. */
public interface OperationObjects {

  /** The App that the Operation names, as it is now. */
  Optional<App> app(Operation operation);

  /**
   * Writes an event about the object: an Operation or its App. One that cannot be written is only
   * logged. Publishing twice is harmless.
   */
  void publish(HasMetadata object, ControlOutcome outcome);
}
