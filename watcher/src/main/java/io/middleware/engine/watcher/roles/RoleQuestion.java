package io.middleware.engine.watcher.roles;

import java.net.InetSocketAddress;
import java.util.Optional;

/** Asks an agent which part its pod plays. */
@FunctionalInterface
public interface RoleQuestion {

  /**
   * Waits for the answer, for a short time.
   *
   * @return the role, empty when the middleware knows none; nothing when there is no answer
   */
  Optional<String> put(InetSocketAddress agent);
}
