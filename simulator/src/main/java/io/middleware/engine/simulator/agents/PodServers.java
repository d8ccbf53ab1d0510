package io.middleware.engine.simulator.agents;

import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.agent.server.AgentServer;
import io.middleware.engine.agent.server.ServedPod;
import io.middleware.engine.agent.server.SharedTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The servers of one group that listen now, by pod uid. Used by one thread. */
final class PodServers {
  private static final Logger LOG = LoggerFactory.getLogger(PodServers.class);

  private record Listening(AgentListener listener, AgentServer server) {}

  private final SharedTransport transport;
  private final int port;
  private final UntrustedIdentity untrusted;
  private final Map<String, Listening> byUid = new HashMap<>();
  private final Set<String> warned = new HashSet<>();

  /**
   * @param untrusted the identity of untrusted listeners
   */
  PodServers(SharedTransport transport, int port, UntrustedIdentity untrusted) {
    this.transport = transport;
    this.port = port;
    this.untrusted = untrusted;
  }

  /** Kills the servers of pods that are gone, have another address, or whose process has ended. */
  void keepOnly(Map<String, AgentListener> listenerByUid) {
    warned.retainAll(listenerByUid.keySet());
    for (var uid : List.copyOf(byUid.keySet())) {
      if (!byUid.get(uid).listener().equals(listenerByUid.get(uid))) {
        kill(uid);
      }
    }
  }

  /** Ends the server of a pod, if it has one, like a killed process. */
  void kill(String uid) {
    var listening = byUid.remove(uid);
    if (listening != null) {
      listening.server().kill();
    }
  }

  /** Returns false when the address cannot be bound at the moment. */
  boolean listen(SimulatedPod pod, AgentListener listener, AgentAnswers answers) {
    if (byUid.containsKey(pod.uid())) {
      return true;
    }
    var address = new InetSocketAddress(listener.ip(), port);
    try {
      var served = new ServedPod(pod.member().pod(), pod.uid());
      var server = AgentServer.start(transport(listener), address, served, answers);
      byUid.put(pod.uid(), new Listening(listener, server));
      warned.remove(pod.uid());
      LOG.atDebug()
          .addKeyValue("pod", pod.member().pod())
          .addKeyValue("ip", listener.ip())
          .log("listening");
      return true;
    } catch (IOException e) {
      if (warned.add(pod.uid())) {
        LOG.atWarn()
            .addKeyValue("pod", pod.member().pod())
            .addKeyValue("address", address)
            .addKeyValue("cause", e.getCause() == null ? e : e.getCause())
            .log("cannot listen; retrying");
      }
      return false;
    }
  }

  private SharedTransport transport(AgentListener listener) throws IOException {
    return listener.isUntrusted() ? transport.withCredentials(untrusted.credentials()) : transport;
  }

  void drain() {
    byUid.values().forEach(listening -> listening.server().drain());
  }

  void stop(Duration timeout) throws InterruptedException {
    for (var listening : byUid.values()) {
      listening.server().stop(timeout);
    }
    byUid.clear();
  }
}
