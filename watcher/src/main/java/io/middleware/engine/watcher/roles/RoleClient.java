package io.middleware.engine.watcher.roles;

import io.middleware.engine.workflows.port.AgentEndpoint;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Asks an agent for the role of its pod. */
@FunctionalInterface
public interface RoleClient {

  /**
   * The pod to ask, as last observed: its address may belong to another pod by now.
   *
   * @param agents the endpoint of the agents of its group
   */
  record AskedPod(String name, String uid, String ip, AgentEndpoint agents) {

    /** The address of its agent. */
    InetSocketAddress address() {
      return new InetSocketAddress(ip, agents.port());
    }
  }

  /**
   * Waits for the answer for a short time.
   *
   * @return the role, which is an empty text when the middleware has none; empty when there is no
   *     answer
   */
  Optional<String> roleOf(AskedPod pod);
}
