package io.middleware.engine.simulator.agents;

import io.middleware.engine.agent.server.AgentServer;
import io.middleware.engine.agent.server.AgentAnswers;
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

  private record Listening(AgentListener door, AgentServer server) {}

  private final SharedTransport transport;
  private final int port;
  private final UntrustedIdentity foreign;
  private final Map<String, Listening> byUid = new HashMap<>();
  private final Set<String> complained = new HashSet<>();

  /**
   * @param foreign what a foreign door shows
   */
  PodServers(SharedTransport transport, int port, UntrustedIdentity foreign) {
    this.transport = transport;
    this.port = port;
    this.foreign = foreign;
  }

  /** Kills the servers whose pod is gone, has moved, or whose process has ended. */
  void keepOnly(Map<String, AgentListener> doorByUid) {
    complained.retainAll(doorByUid.keySet());
    for (var uid : List.copyOf(byUid.keySet())) {
      if (!byUid.get(uid).door().equals(doorByUid.get(uid))) {
        kill(uid);
      }
    }
  }

  /** Ends the server of a pod, if it has one, as if its process died. */
  void kill(String uid) {
    var listening = byUid.remove(uid);
    if (listening != null) {
      listening.server().kill();
    }
  }

  /** Answers false when the address cannot be bound at present. */
  boolean listen(SimulatedPod pod, AgentListener door, AgentAnswers answers) {
    if (byUid.containsKey(pod.uid())) {
      return true;
    }
    var address = new InetSocketAddress(door.ip(), port);
    try {
      var served = new ServedPod(pod.member().pod(), pod.uid());
      var server = AgentServer.start(transport(door), address, served, answers);
      byUid.put(pod.uid(), new Listening(door, server));
      complained.remove(pod.uid());
      LOG.atDebug()
          .addKeyValue("pod", pod.member().pod())
          .addKeyValue("ip", door.ip())
          .log("listening");
      return true;
    } catch (IOException e) {
      if (complained.add(pod.uid())) {
        LOG.atWarn()
            .addKeyValue("pod", pod.member().pod())
            .addKeyValue("address", address)
            .addKeyValue("cause", e.getCause() == null ? e : e.getCause())
            .log("cannot listen, trying on");
      }
      return false;
    }
  }

  private SharedTransport transport(AgentListener door) throws IOException {
    return door.isForeign() ? transport.showing(foreign.credentials()) : transport;
  }

  void drain() {
    byUid.values().forEach(listening -> listening.server().drain());
  }

  void stop(Duration patience) throws InterruptedException {
    for (var listening : byUid.values()) {
      listening.server().stop(patience);
    }
    byUid.clear();
  }
}
