package io.middleware.engine.process;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One check of a process's health.
 *
 * @param problem what is wrong, or empty; may block for a moment and must not change anything
 */
public record HealthCheck(String name, Supplier<Optional<String>> problem) {}
