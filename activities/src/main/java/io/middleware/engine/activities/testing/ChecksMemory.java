package io.middleware.engine.activities.testing;

import java.util.Optional;

/** What attempts of one step leave to the next attempt, should their worker die. */
public interface ChecksMemory {

  /** What the attempt before has left; empty: there was none, or it had not begun. */
  Optional<ChecksSeen> earlier();

  /**
   * Leaves this, and proves that the step is alive.
   *
   * @throws io.temporal.client.ActivityCompletionException when the step is cancelled
   */
  void remember(ChecksSeen seen);
}
