package io.middleware.engine.activities.render.guard;

import java.util.List;

/** The guard's answer: all objects, fit to be written, or none. */
public sealed interface GuardVerdict {

  record Passed(RenderedObjects objects) implements GuardVerdict {}

  record Refused(List<GuardViolation> violations) implements GuardVerdict {
    public Refused {
      violations = List.copyOf(violations);
    }
  }
}
