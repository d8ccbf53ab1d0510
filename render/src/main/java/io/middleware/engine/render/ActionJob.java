package io.middleware.engine.render;

import static java.util.Objects.requireNonNull;

import io.middleware.engine.api.plugin.PluginAction;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * An action that is to run as a Job of one group.
 *
 * @param name of the Job
 * @param parameters values as text, by name
 * @param timeout how long it may run; empty: until the Job is deleted
 * @param killTimeout how long its pods may take to end after they are terminated; empty: as the
 *     template says
 */
public record ActionJob(
    PluginAction action,
    String name,
    Map<String, String> parameters,
    Optional<Duration> timeout,
    Optional<Duration> killTimeout) {
  public ActionJob {
    requireNonNull(action, "action");
    requireNonNull(name, "name");
    parameters = Map.copyOf(parameters);
  }
}
