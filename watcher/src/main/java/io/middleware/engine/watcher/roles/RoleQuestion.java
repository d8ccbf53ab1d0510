package io.middleware.engine.watcher.roles;

import java.net.InetSocketAddress;
import java.util.Optional;

/** Asks an agent which part its pod plays. */
@FunctionalInterface
public interface RoleQuestion {

  /**
   * The pod that is asked, as it was last seen: its address may have gone to another one.
   *
   * @param agent where its agent listens
   */
  record AskedPod(InetSocketAddress agent, String name, String uid) {}

  /**
   * Waits for the answer, for a short time.
   *
   * @return the role, empty when the middleware knows none; nothing when there is no answer
   */
  Optional<String> put(AskedPod pod);
}
