package io.middleware.engine.process;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One thing a process looks at to know how it is. It answers what is wrong, or nothing; it may
 * block for a moment and must not change anything.
 */
public record HealthCheck(String name, Supplier<Optional<String>> problem) {}
