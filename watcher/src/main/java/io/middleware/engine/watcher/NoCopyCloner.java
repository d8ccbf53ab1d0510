package io.middleware.engine.watcher;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.Cloner;

/** Returns the cached objects themselves: a reconciliation never changes them. */
final class NoCopyCloner implements Cloner {

  @Override
  public <R extends HasMetadata> R clone(R object) {
    return object;
  }
}
