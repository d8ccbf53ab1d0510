package io.middleware.engine.activities.pods;

import java.util.function.Consumer;

/**
 * Receives messages about what agents do in pods and how far they are; called by several threads.
 * {@link #accept} may throw to cancel the action.
 */
public interface ActionProgress extends Consumer<String> {
  /** All pods are done. */
  void done();
}
