package io.middleware.engine.activities.render;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.activities.render.guard.Violation;
import java.util.List;

/** What a plugin's templates made may not be written; names every violation. */
public final class OutputRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Violation> violations;

  OutputRefusedException(List<Violation> violations) {
    super(violations.stream().map(Violation::toString).collect(joining("\n")));
    this.violations = List.copyOf(violations);
  }

  public List<Violation> violations() {
    return violations;
  }
}
