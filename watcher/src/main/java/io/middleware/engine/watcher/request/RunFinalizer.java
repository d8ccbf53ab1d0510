package io.middleware.engine.watcher.request;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;

/**
 * Holds an object that is deleted until its run has been stopped: from before the run begins until
 * it has ended. An object whose run has ended goes at once, even while the engine is away. The
 * reconciler has to see all events, since the framework never takes away a finalizer of a {@link
 * io.javaoperatorsdk.operator.api.reconciler.Cleaner} before the deletion.
 */
record RunFinalizer(String name) {

  /**
   * Has the object with the finalizer exactly if a deletion has to wait.
   *
   * @return the object as it is then: a later write of the one before is a conflict
   */
  <P extends HasMetadata> P put(P object, boolean waits, Context<P> context) {
    if (waits && !object.hasFinalizer(name) && !object.isMarkedForDeletion()) {
      return context.resourceOperations().addFinalizer(name);
    }
    if (!waits && object.hasFinalizer(name)) {
      context.resourceOperations().removeFinalizer(name);
    }
    return object;
  }

  /** Whether the object has gone, or is about to go without anything to stop. */
  <P extends HasMetadata> boolean isGone(P object, Context<P> context) {
    return context.isPrimaryResourceDeleted()
        || object.isMarkedForDeletion() && !object.hasFinalizer(name);
  }
}
