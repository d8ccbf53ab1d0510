package io.middleware.engine.simulator.agents;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.stream.Collectors.toMap;

import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.replication.GroupMember;
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.agent.server.ReplicationAnswers;
import io.middleware.engine.agent.server.SharedTransport;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings roles and servers of a group into line with its pods, whenever one of them has changed.
 * Level-triggered: a change only names the group, all its pods are looked at again, by one thread.
 */
public final class SimulatedAgents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SimulatedAgents.class);
  private static final Duration SLOWNESS = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Function<GroupKey, List<SimulatedPod>> podsOf;
  private final Consumer<PodAnnotation> marks;
  private final SharedTransport transport;
  private final int port;
  private final Function<String, Optional<Driver>> driverOf;
  private final Map<GroupKey, Played> groups = new HashMap<>();
  private final Set<GroupKey> waiting = ConcurrentHashMap.newKeySet();
  private final UntrustedIdentity foreign = new UntrustedIdentity();
  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();

  private record Played(SimulatedGroup group, PodServers servers, ListenBackoff backoff) {}

  /**
   * @param driverOf what drives the real process of the pod of a uid, if it has one
   * @param marks told of each action before it ends
   */
  SimulatedAgents(
      SharedTransport transport,
      int port,
      Function<GroupKey, List<SimulatedPod>> podsOf,
      Function<String, Optional<Driver>> driverOf,
      Consumer<PodAnnotation> marks) {
    this.marks = marks;
    this.transport = transport;
    this.port = port;
    this.podsOf = podsOf;
    this.driverOf = driverOf;
  }

  /** Something about the group's pods has changed. */
  void changed(GroupKey key) {
    if (waiting.add(key)) {
      loop.execute(() -> reconcile(key));
    }
  }

  @Override
  public void close() {
    loop.shutdownNow();
    try {
      loop.awaitTermination(PATIENCE.toMillis(), MILLISECONDS);
      groups.values().forEach(played -> played.servers().drain());
      for (var played : groups.values()) {
        played.servers().stop(PATIENCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void reconcile(GroupKey key) {
    waiting.remove(key);
    try {
      var pods = podsOf.apply(key);
      var played = groups.computeIfAbsent(key, k -> newGroup());
      elect(key, played.group(), pods);
      serve(key, played, pods);
      if (pods.isEmpty()) {
        groups.remove(key);
      }
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("group", key).setCause(e).log("group left as it was");
    }
  }

  private Played newGroup() {
    return new Played(
        new SimulatedGroup(), new PodServers(transport, port, foreign), new ListenBackoff());
  }

  private static void elect(GroupKey key, SimulatedGroup group, List<SimulatedPod> pods) {
    var before = group.primary().map(GroupMember::pod);
    var now = group.observe(pods).map(GroupMember::pod);
    if (!now.equals(before)) {
      LOG.atInfo().addKeyValue("group", key).addKeyValue("primary", now.orElse("")).log("elected");
    }
  }

  private void serve(GroupKey key, Played played, List<SimulatedPod> pods) {
    played.servers().keepOnly(doors(pods));
    var unheard = pods.stream().filter(pod -> !listens(played, pod)).toList();
    if (unheard.isEmpty()) {
      played.backoff().reset();
    } else {
      loop.schedule(() -> changed(key), played.backoff().nextMillis(), MILLISECONDS);
    }
  }

  private boolean listens(Played played, SimulatedPod pod) {
    var answers = answers(played, pod);
    return pod.door().map(door -> played.servers().listen(pod, door, answers)).orElse(true);
  }

  private static Map<String, AgentListener> doors(List<SimulatedPod> pods) {
    return pods.stream()
        .filter(pod -> pod.door().isPresent())
        .collect(toMap(SimulatedPod::uid, pod -> pod.door().orElseThrow()));
  }

  private AgentAnswers answers(Played played, SimulatedPod pod) {
    var uid = pod.uid();
    var group = played.group();
    var driver = driverOf.apply(uid).orElseGet(() -> new SimulatedDriver(group, uid, marks));
    var right = new ReplicationAnswers(driver);
    return new FaultyAnswers(
        right, () -> group.faultOf(uid), SLOWNESS, () -> hangUp(played.servers(), pod));
  }

  /** The server of a pod ends in the middle of its calls, and another one follows. */
  private void hangUp(PodServers servers, SimulatedPod pod) {
    loop.execute(
        () -> {
          servers.kill(pod.uid());
          changed(pod.group());
        });
  }
}
