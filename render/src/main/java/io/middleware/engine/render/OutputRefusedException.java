package io.middleware.engine.render;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.render.guard.GuardViolation;
import java.util.List;

/** The guard refused the rendered objects; lists every violation. */
public final class OutputRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<GuardViolation> violations;

  OutputRefusedException(List<GuardViolation> violations) {
    super(violations.stream().map(GuardViolation::toString).collect(joining("\n")));
    this.violations = List.copyOf(violations);
  }

  public List<GuardViolation> violations() {
    return violations;
  }
}
