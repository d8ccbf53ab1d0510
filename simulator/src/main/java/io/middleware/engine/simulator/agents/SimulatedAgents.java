package io.middleware.engine.simulator.agents;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.stream.Collectors.toMap;

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
 * Reconciles the roles and servers of a group with its pods when a pod changes. Level-triggered: a
 * change only names the group, and one thread checks all pods of the group again.
 */
public final class SimulatedAgents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SimulatedAgents.class);
  private static final Duration FAULT_DELAY = Duration.ofSeconds(10);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

  private final Function<GroupKey, List<SimulatedPod>> podsOf;
  private final Consumer<PodAnnotation> annotate;
  private final SharedTransport transport;
  private final int port;
  private final Function<String, Optional<AgentAnswers>> answersOf;
  private final Map<GroupKey, ServedGroup> groups = new HashMap<>();
  private final Set<GroupKey> queued = ConcurrentHashMap.newKeySet();
  private final UntrustedIdentity untrusted = new UntrustedIdentity();
  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();

  private record ServedGroup(SimulatedGroup group, PodServers servers, ListenBackoff backoff) {}

  /**
   * @param answersOf what a pod with real processes answers by pod uid, if the pod has an agent
   * @param annotate called for each action before it ends
   */
  SimulatedAgents(
      SharedTransport transport,
      int port,
      Function<GroupKey, List<SimulatedPod>> podsOf,
      Function<String, Optional<AgentAnswers>> answersOf,
      Consumer<PodAnnotation> annotate) {
    this.annotate = annotate;
    this.transport = transport;
    this.port = port;
    this.podsOf = podsOf;
    this.answersOf = answersOf;
  }

  /** Schedules a reconciliation of the group. */
  void changed(GroupKey key) {
    if (queued.add(key)) {
      loop.execute(() -> reconcile(key));
    }
  }

  @Override
  public void close() {
    loop.shutdownNow();
    try {
      loop.awaitTermination(STOP_TIMEOUT.toMillis(), MILLISECONDS);
      groups.values().forEach(served -> served.servers().drain());
      for (var served : groups.values()) {
        served.servers().stop(STOP_TIMEOUT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void reconcile(GroupKey key) {
    queued.remove(key);
    try {
      var pods = podsOf.apply(key);
      var served = groups.computeIfAbsent(key, k -> newGroup());
      elect(key, served.group(), pods);
      serve(key, served, pods);
      if (pods.isEmpty()) {
        groups.remove(key);
      }
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("group", key).setCause(e).log("cannot reconcile the group");
    }
  }

  private ServedGroup newGroup() {
    return new ServedGroup(
        new SimulatedGroup(), new PodServers(transport, port, untrusted), new ListenBackoff());
  }

  private static void elect(GroupKey key, SimulatedGroup group, List<SimulatedPod> pods) {
    var before = group.primary().map(GroupMember::pod);
    var now = group.observe(pods).map(GroupMember::pod);
    if (!now.equals(before)) {
      LOG.atInfo().addKeyValue("group", key).addKeyValue("primary", now.orElse("")).log("elected");
    }
  }

  private void serve(GroupKey key, ServedGroup served, List<SimulatedPod> pods) {
    served.servers().keepOnly(listeners(pods));
    var notListening = pods.stream().filter(pod -> !listens(served, pod)).toList();
    if (notListening.isEmpty()) {
      served.backoff().reset();
    } else {
      loop.schedule(() -> changed(key), served.backoff().nextMillis(), MILLISECONDS);
    }
  }

  private boolean listens(ServedGroup served, SimulatedPod pod) {
    var answers = answers(served, pod);
    return pod.listener()
        .map(listener -> served.servers().listen(pod, listener, answers))
        .orElse(true);
  }

  private static Map<String, AgentListener> listeners(List<SimulatedPod> pods) {
    return pods.stream()
        .filter(pod -> pod.listener().isPresent())
        .collect(toMap(SimulatedPod::uid, pod -> pod.listener().orElseThrow()));
  }

  private AgentAnswers answers(ServedGroup served, SimulatedPod pod) {
    var uid = pod.uid();
    var group = served.group();
    var correct =
        answersOf
            .apply(uid)
            .orElseGet(() -> new ReplicationAnswers(new SimulatedDriver(group, uid, annotate)));
    return new FaultyAnswers(
        correct, () -> group.faultOf(uid), FAULT_DELAY, () -> hangUp(served.servers(), pod));
  }

  /** Ends the server of a pod in the middle of its calls, then starts another server. */
  private void hangUp(PodServers servers, SimulatedPod pod) {
    loop.execute(
        () -> {
          servers.kill(pod.uid());
          changed(pod.group());
        });
  }
}
