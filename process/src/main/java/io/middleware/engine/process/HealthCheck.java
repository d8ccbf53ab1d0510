package io.middleware.engine.process;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One check of a process's health.
 *
 * @param look may block for a moment and must not change anything
 */
public record HealthCheck(String name, Supplier<Health> look) {
  /**
   * @param problem what is wrong, or empty; as for {@code look}
   */
  public static HealthCheck of(String name, Supplier<Optional<String>> problem) {
    return new HealthCheck(name, () -> Health.of(problem.get()));
  }
}
