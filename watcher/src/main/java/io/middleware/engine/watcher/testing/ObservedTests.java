package io.middleware.engine.watcher.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** The tests of a kind on the API server. */
interface ObservedTests<T extends HasMetadata> {

  /** The test as it is now; empty when it is gone. */
  Optional<T> live(T seen);

  /** Writes the status of a test, unless the test has changed: it is looked at again. */
  void writeStatus(T live);

  /** Deletes this test, and no later one of its name. */
  void delete(T seen);
}
