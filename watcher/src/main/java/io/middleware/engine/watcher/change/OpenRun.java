package io.middleware.engine.watcher.change;

import java.util.Optional;

/**
 * An open run of an App's workflow.
 *
 * @param trouble why nobody works on it, in plain words; empty when somebody does, or it waits
 */
public record OpenRun(String id, Optional<String> trouble) {}
