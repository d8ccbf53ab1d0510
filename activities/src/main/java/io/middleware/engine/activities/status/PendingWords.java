package io.middleware.engine.activities.status;

import io.middleware.engine.workflows.port.ChangeRef;

/** Tells whoever edits an App during a change what becomes of the edit. */
final class PendingWords {
  private PendingWords() {}

  static String of(long pending, ChangeRef running) {
    return "generation %d starts when the change of generation %d has ended; not to wait, cancel that one: temporal workflow cancel -w %s"
        .formatted(pending, running.generation(), running.workflowId());
  }
}
