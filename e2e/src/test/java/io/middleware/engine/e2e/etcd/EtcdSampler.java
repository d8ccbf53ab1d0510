package io.middleware.engine.e2e.etcd;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts every 50 ms which members of an App's etcd are down. One is down when its pod has no
 * address, or nobody listens there: one that is only slow is not. Who is killed by the test is not
 * held against the engine until it has come back.
 */
final class EtcdSampler implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMillis(50);
  private static final int PORT = 2379;
  private static final int PATIENCE_MILLIS = 1000;
  private static final Duration VOTERS_INTERVAL = Duration.ofMillis(200);

  /** Between the answer of the gate and the eviction nobody can see who is killed. */
  private static final Duration UNSEEN = Duration.ofSeconds(1);

  private final SharedIndexInformer<Pod> pods;
  private final EtcdClient client = new EtcdClient(this::addresses);
  private final Map<String, Boolean> killed = new ConcurrentHashMap<>(); // whether it is done
  private final Thread thread = Thread.ofPlatform().unstarted(this::sample);
  private final Thread reader = Thread.ofPlatform().unstarted(this::readVoters);
  private volatile List<String> voters = List.of();
  private volatile boolean stopped;

  // of the thread, and of others after its end
  private final Set<String> mostDown = new TreeSet<>();
  private int samples;
  private int withoutQuorum;
  private int lostByTheEngine;
  private boolean isLost;

  /** Who is down or is to stop, in the order in which they went. */
  private final List<String> gone = new ArrayList<>();

  private final Map<String, Instant> goneSince = new HashMap<>();

  EtcdSampler(Shop shop, String app) {
    pods = shop.client.pods().inNamespace(shop.namespace).withLabel(Labels.APP, app).inform();
  }

  void start() {
    reader.start();
    thread.start();
  }

  /** Kills the member of this pod, and returns when it has ended. */
  void kill(Pod pod) {
    var process =
        ProcessHandle.of(Long.parseLong(DeployedRedisGroup.pid(pod, "etcd"))).orElseThrow();
    killed.put(pod.getMetadata().getName(), false);
    System.out.printf("%s kills %s%n", Instant.now(), pod.getMetadata().getName());
    process.destroyForcibly();
    process.onExit().join();
    killed.put(pod.getMetadata().getName(), true);
  }

  /** Ends the sampling. The largest set of members that were down at once, without those killed. */
  Set<String> mostDown() throws InterruptedException {
    stop();
    System.out.printf(
        "%d samples, %d of them without a quorum, %d by the engine; most members down by it: %s%n",
        samples, withoutQuorum, lostByTheEngine, mostDown);
    return mostDown;
  }

  /**
   * Samples without a quorum where the last member to go was not killed by the test, and went when
   * it could be seen that the others were away.
   */
  int lostByTheEngine() {
    return lostByTheEngine;
  }

  @Override
  public void close() throws InterruptedException {
    stop();
    client.close();
    pods.close();
  }

  private void stop() throws InterruptedException {
    stopped = true;
    thread.join();
    reader.join();
  }

  /** Beside the samples: without a quorum, an answer takes as long as the client's patience. */
  private void readVoters() {
    try {
      for (; !stopped; Thread.sleep(VOTERS_INTERVAL)) {
        var known = client.voters();
        voters = known.isEmpty() ? voters : known;
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void sample() {
    try {
      for (; !stopped; Thread.sleep(INTERVAL)) {
        sampleOnce();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void sampleOnce() {
    var excused = Map.copyOf(killed);
    var voting = voters;
    if (voting.isEmpty()) {
      return; // nobody has answered yet
    }
    var down = new HashSet<>(voting);
    pods.getStore().list().stream()
        .filter(pod -> listens(pod.getStatus().getPodIP()))
        .forEach(pod -> down.remove(pod.getMetadata().getName()));
    samples++;
    var last = lastToGo(leaving(down), excused.keySet());
    var isByTheEngine = !excused.containsKey(last) && couldSeeWhoIsAway();
    var isWithout = voting.size() - down.size() <= voting.size() / 2;
    if (isWithout) {
      withoutQuorum++;
      lostByTheEngine += isByTheEngine ? 1 : 0;
    }
    if (isWithout != isLost) {
      System.out.printf(
          "%s %s: of %s, gone in order %s, since %s, killed %s%n",
          Instant.now(),
          isWithout ? "no quorum" : "a quorum again",
          voting,
          gone,
          goneSince,
          excused);
    }
    isLost = isWithout;
    endKills(excused, down);
    down.removeAll(excused.keySet());
    if (down.size() > mostDown.size()) {
      mostDown.clear();
      mostDown.addAll(down);
    }
  }

  /** Those that serve again are held against the engine from now on. */
  private void endKills(Map<String, Boolean> excused, Set<String> down) {
    excused.forEach(
        (pod, done) -> {
          if (done && !down.contains(pod)) {
            killed.remove(pod, true);
          }
        });
  }

  /** With those that are to stop, and may serve until their node hears of it. */
  private Set<String> leaving(Set<String> down) {
    var leaving = new HashSet<>(down);
    pods.getStore().list().stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() != null)
        .forEach(pod -> leaving.add(pod.getMetadata().getName()));
    return leaving;
  }

  /** The one that went last; of several at once, one that the test has killed. */
  private String lastToGo(Set<String> leaving, Set<String> excused) {
    gone.retainAll(leaving);
    var now = leaving.stream().filter(pod -> !gone.contains(pod));
    goneSince.keySet().retainAll(gone);
    now.sorted(Comparator.comparing(excused::contains))
        .forEach(
            pod -> {
              gone.add(pod);
              goneSince.put(pod, Instant.now());
            });
    return gone.isEmpty() ? "" : gone.getLast();
  }

  /** Whether those that went before the last one had gone for long enough. */
  private boolean couldSeeWhoIsAway() {
    return gone.size() > 1
        && goneSince
            .get(gone.get(gone.size() - 2))
            .isBefore(goneSince.get(gone.getLast()).minus(UNSEEN));
  }

  private static boolean listens(String address) {
    if (address == null) {
      return false;
    }
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, PORT), PATIENCE_MILLIS);
      return true;
    } catch (ConnectException refused) {
      return false;
    } catch (IOException slow) {
      return true;
    }
  }

  private List<String> addresses() {
    return pods.getStore().list().stream()
        .map(pod -> pod.getStatus().getPodIP())
        .filter(Objects::nonNull)
        .toList();
  }
}
