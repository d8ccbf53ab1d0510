package io.middleware.engine.agent.driver;

import java.time.Duration;
import java.util.Map;

/**
 * A requested action of the Plugin.
 *
 * @param name as the Plugin declares it
 * @param timeout how long it may run before it is terminated; zero: until it is interrupted
 * @param killTimeout how long it may take to end after that, or after an interrupt, before it is
 *     killed
 */
public record ActionRequest(
    String name, Map<String, String> parameters, Duration timeout, Duration killTimeout) {
  public ActionRequest {
    parameters = Map.copyOf(parameters);
  }
}
