package io.middleware.engine.watcher.roles;

import io.middleware.engine.workflows.port.AgentEndpoint;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Asks an agent which part its pod plays. */
@FunctionalInterface
public interface RoleClient {

  /**
   * The pod that is asked, as it was last seen: its address may have gone to another one.
   *
   * @param agents where those of its group listen
   */
  record AskedPod(String name, String uid, String ip, AgentEndpoint agents) {

    /** Where its agent listens. */
    InetSocketAddress address() {
      return new InetSocketAddress(ip, agents.port());
    }
  }

  /**
   * Waits for the answer, for a short time.
   *
   * @return the role, empty when the middleware knows none; nothing when there is no answer
   */
  Optional<String> put(AskedPod pod);
}
