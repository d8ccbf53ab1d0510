package io.middleware.engine.activities.render.guard;

import java.util.List;

/** The guard's answer: all objects, fit to be written, or none. */
public sealed interface Verdict {

  record Passed(RenderedObjects objects) implements Verdict {}

  record Refused(List<Violation> violations) implements Verdict {
    public Refused {
      violations = List.copyOf(violations);
    }
  }
}
