package io.middleware.engine.workflows.testing.port;

import java.time.Instant;

/** A round of a test that has passed. */
public record PassedRound(int round, Instant startedAt, Instant completedAt) {}
