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
   * @param agents the endpoint of its agent
   */
  record AskedPod(String name, String uid, String ip, AgentEndpoint agents) {

    /** The address of its agent. */
    InetSocketAddress address() {
      return new InetSocketAddress(ip, agents.port());
    }
  }

  /**
   * What an agent says.
   *
   * @param role empty when the middleware has none
   * @param trouble what keeps the pod from what its role promises; empty when nothing is known
   * @param term of the newest claim to be the primary that the pod knows of; 0: not known
   */
  record ReportedRole(String role, String trouble, long term) {
    static final int LONGEST_TROUBLE = 300;

    /** As an agent answers that is asked: without a term. */
    ReportedRole(String role, String trouble) {
      this(role, trouble, 0);
    }
  }

  /** Waits for the answer for a short time; empty when there is none. */
  Optional<ReportedRole> roleOf(AskedPod pod);
}
