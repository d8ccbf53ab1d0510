package io.middleware.engine.cluster.runlock;

import io.middleware.engine.api.App;
import io.middleware.engine.workflows.port.ChangeRef;

/** Lets a step go on only while its run is the one that carries out what the step is part of. */
@FunctionalInterface
public interface RunFence {

  /**
   * The live App, after a check of the calling run.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when the App is gone or is
   *     another one of the same name, when another run has taken over, or when the change or
   *     Operation has ended
   */
  App check(ChangeRef change);

  /**
   * Both fences: which one a step passes depends on what it is part of.
   *
   * @param shared for Operations that exclude nothing
   * @param exclusive for all else
   */
  static RunFence of(RunFence exclusive, RunFence shared) {
    return change -> (change.shared() ? shared : exclusive).check(change);
  }
}
