package io.middleware.engine.render.guard;

import java.util.List;

/** The result of the guard: either all objects may be written, or none. */
public sealed interface GuardVerdict {

  record PassedOutput(RenderedObjects objects) implements GuardVerdict {}

  record RefusedOutput(List<GuardViolation> violations) implements GuardVerdict {
    public RefusedOutput {
      violations = List.copyOf(violations);
    }
  }
}
