package io.middleware.engine.agent.local;

import io.middleware.engine.agent.server.AgentServer;
import io.middleware.engine.agent.server.Answers;
import io.middleware.engine.agent.server.ServedPod;
import io.middleware.engine.agent.server.Transport;
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

  private record Listening(String ip, AgentServer server) {}

  private final Transport transport;
  private final int port;
  private final Map<String, Listening> byUid = new HashMap<>();
  private final Set<String> complained = new HashSet<>();

  PodServers(Transport transport, int port) {
    this.transport = transport;
    this.port = port;
  }

  /** Kills the servers whose pod is gone, has moved, or whose process has ended. */
  void keepOnly(Map<String, String> ipByUid) {
    complained.retainAll(ipByUid.keySet());
    for (var uid : List.copyOf(byUid.keySet())) {
      var listening = byUid.get(uid);
      if (!listening.ip().equals(ipByUid.get(uid))) {
        listening.server().kill();
        byUid.remove(uid);
      }
    }
  }

  /** Answers false when the address cannot be bound at present. */
  boolean listen(SimulatedPod pod, String ip, Answers answers) {
    if (byUid.containsKey(pod.uid())) {
      return true;
    }
    try {
      var served = new ServedPod(pod.member().pod(), pod.uid());
      var server = AgentServer.start(transport, new InetSocketAddress(ip, port), served, answers);
      byUid.put(pod.uid(), new Listening(ip, server));
      complained.remove(pod.uid());
      LOG.atDebug().addKeyValue("pod", pod.member().pod()).addKeyValue("ip", ip).log("listening");
      return true;
    } catch (IOException e) {
      if (complained.add(pod.uid())) {
        LOG.atWarn()
            .addKeyValue("pod", pod.member().pod())
            .addKeyValue("address", ip + ":" + port)
            .addKeyValue("cause", e.getCause() == null ? e : e.getCause())
            .log("cannot listen, trying on");
      }
      return false;
    }
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
