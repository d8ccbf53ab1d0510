package io.middleware.engine.agent.redis;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.PodMaintenance;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.SentinelServer.MonitoredGroup;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one Sentinel watching its groups, each at its primary.
 *
 * <p>Sentinel learns of a failover of its own, but not of a switchover by {@code FAILOVER}: it
 * would go on watching the old primary, and take another pod for the primary once that is gone. So
 * each Sentinel is told by the agent beside it, by {@code REMOVE} and {@code MONITOR}, when all
 * pods of the group that answer agree on another primary. A Sentinel that was told forgets which
 * failover was the last, and believes one that was not told yet; where all have their agents that
 * ends, as looks are less than the 2 s apart after which a Sentinel that was told greets the
 * others.
 *
 * <p>Nor does Sentinel ever forget a replica or another Sentinel: addresses of pods that are gone
 * would count for its majority, and be made replicas once they belong to somebody else. So it is
 * told to look around anew ({@code RESET}) when it knows one that has been nobody's for a while. It
 * forgets those as well then that are only silent, so that is done when all pods answer.
 */
public final class SentinelWatch implements PodMaintenance {
  /** Where Sentinel listens unless it is told otherwise. */
  public static final int PORT = 26_379;

  private static final Logger LOG = LoggerFactory.getLogger(SentinelWatch.class);
  private static final Duration ANSWER = Duration.ofMillis(500);

  private final String pod;
  private final SentinelServer sentinel;
  private final Supplier<SentinelSettings> settings;
  private final Cluster cluster;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, UnknownInstances> strangers = new HashMap<>();
  private Map<String, String> asked = Map.of();
  private String complaint = "";

  /**
   * Where the others are.
   *
   * @param sentinels headless Service of the Sentinels
   * @param redisPort of every Redis
   */
  public record Cluster(
      ServiceAddresses addresses, String sentinels, int redisPort, RedisServers servers) {

    private Map<String, ObservedGroup> see(Collection<String> groups) {
      Map<String, Set<Address>> present = new HashMap<>();
      for (var group : groups) {
        var hosts = addresses.of(group).stream();
        present.put(group, hosts.map(host -> new Address(host, redisPort)).collect(toSet()));
      }
      var all = present.values().stream().flatMap(Set::stream).collect(toSet());
      var answers = servers.ask(all, ANSWER);
      Map<String, ObservedGroup> seen = new HashMap<>();
      present.forEach(
          (group, pods) -> {
            var own = new HashMap<>(answers);
            own.keySet().retainAll(pods);
            seen.put(group, new ObservedGroup(pods, own));
          });
      return seen;
    }
  }

  /**
   * @param pod where it is the Sentinel that listens at host and port
   * @param settings as they are when asked for; fails while they cannot be read
   */
  public SentinelWatch(
      String pod, String host, int port, Supplier<SentinelSettings> settings, Cluster cluster) {
    this.pod = pod;
    this.sentinel = new SentinelServer(cluster.servers(), new Address(host, port));
    this.settings = settings;
    this.cluster = cluster;
  }

  /** The pod serves when its Sentinel answers, and watches all groups. */
  @Override
  public boolean look() {
    lock.lock();
    try {
      var wanted = settings.get().with(asked);
      var watched = sentinel.watched();
      var seen = cluster.see(wanted.groups());
      var serves = true;
      for (var group : wanted.groups()) {
        serves &= watches(group, watched.get(group), seen.get(group), wanted.options());
      }
      complaint = "";
      return serves;
    } catch (StatusRuntimeException | IllegalArgumentException | UncheckedIOException e) {
      complain(String.valueOf(e.getMessage()));
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts options in force for all groups, from now on.
   *
   * @return what Sentinel has in force, by the names of the options
   */
  Map<String, String> reload(Map<String, String> options) {
    lock.lock();
    try {
      var before = sentinel.watched();
      if (!before.keySet().containsAll(settings.get().groups())) {
        throw Status.UNAVAILABLE
            .withDescription("Sentinel of %s does not watch all its groups yet".formatted(pod))
            .asRuntimeException();
      }
      before.values().forEach(watched -> set(watched, options));
      asked = options;
      var watched = sentinel.watched().values();
      Map<String, String> inForce = new HashMap<>();
      options.keySet().forEach(option -> inForce.put(option, inForce(option, watched)));
      return inForce;
    } finally {
      lock.unlock();
    }
  }

  private boolean watches(
      String group, MonitoredGroup watched, ObservedGroup seen, Map<String, String> options) {
    if (watched == null) {
      var primary = seen.primary();
      primary.ifPresent(one -> watch(group, one, Optional.empty(), options));
      return primary.isPresent();
    }
    if (!watched.isFailingOver()) {
      seen.insteadOf(watched.primary())
          .ifPresentOrElse(
              other -> watch(group, other, Optional.of(watched.primary()), options),
              () -> {
                set(watched, options);
                forgetStrangers(watched, seen);
              });
    }
    return true;
  }

  /** Whoever dies between two of these commands leaves the rest to the next look. */
  private void watch(
      String group, Address primary, Optional<Address> before, Map<String, String> options) {
    LOG.atInfo()
        .addKeyValue("pod", pod)
        .addKeyValue("group", group)
        .addKeyValue("primary", primary)
        .addKeyValue("before", before.map(Address::toString).orElse(""))
        .log("Sentinel is told the primary");
    before.ifPresent(old -> sentinel.unwatch(group));
    sentinel.watch(group, primary, options.get(SentinelSettings.QUORUM));
    set(sentinel.watched().get(group), options);
  }

  private void set(MonitoredGroup watched, Map<String, String> options) {
    options.forEach(
        (option, value) -> {
          if (!value.equals(watched.fields().get(option))) {
            sentinel.set(watched.group(), option, value);
          }
        });
  }

  private void forgetStrangers(MonitoredGroup watched, ObservedGroup seen) {
    var sentinels = Set.copyOf(cluster.addresses().of(cluster.sentinels()));
    if (seen.primary().isEmpty() || !seen.isComplete() || sentinels.isEmpty()) {
      return;
    }
    var known = new HashSet<Address>();
    sentinel.replicas(watched.group()).forEach(one -> known.add(one.address()));
    known.removeAll(seen.present());
    sentinel.others(watched.group()).stream()
        .filter(one -> one.silent() && !sentinels.contains(one.address().host()))
        .forEach(one -> known.add(one.address()));
    var ofGroup = strangers.computeIfAbsent(watched.group(), group -> new UnknownInstances());
    if (ofGroup.areDue(known, Instant.now())) {
      LOG.atInfo()
          .addKeyValue("pod", pod)
          .addKeyValue("group", watched.group())
          .addKeyValue("strangers", known)
          .log("Sentinel is told to forget who is gone");
      sentinel.rediscover(watched.group());
      ofGroup.areForgotten(known, Instant.now());
    }
  }

  /** Of all groups; where they differ, of each of them. */
  private static String inForce(String option, Collection<MonitoredGroup> watched) {
    return watched.stream()
        .map(one -> one.fields().getOrDefault(option, ""))
        .distinct()
        .collect(joining(", "));
  }

  private void complain(String words) {
    if (!words.equals(complaint)) {
      complaint = words;
      LOG.atWarn()
          .addKeyValue("pod", pod)
          .addKeyValue("cause", words)
          .log("cannot look after Sentinel, trying on");
    }
  }
}
