package io.middleware.engine.agent.redis;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.PodMaintenance;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.SentinelServer.KnownInstance;
import io.middleware.engine.agent.redis.SentinelServer.Logins;
import io.middleware.engine.agent.redis.SentinelServer.LostQuorum;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one Sentinel monitoring its groups, each by its actual primary.
 *
 * <ol>
 *   <li><b>Switchovers.</b> Sentinel knows its own failovers, but not a switchover by {@code
 *       FAILOVER}: it would keep monitoring the old primary and choose another pod once that is
 *       gone. So the agent of each Sentinel corrects it ({@code REMOVE}, {@code MONITOR}) when all
 *       answering pods of the group agree on another primary.
 *   <li><b>Agreement.</b> A corrected Sentinel forgets the last failover and believes a Sentinel
 *       that is not corrected yet. Because checks are less than 2 s apart, and a corrected Sentinel
 *       greets the others only after 2 s, all Sentinels with agents agree soon.
 *   <li><b>Stale addresses.</b> Sentinel never forgets a replica or another Sentinel. An address
 *       without a pod would count for the majority. So the agent resets Sentinel ({@code RESET})
 *       when it knows such an address for a while. A reset also forgets instances that are only
 *       down, so the agent does it only when all pods answer.
 *   <li><b>Strangers.</b> A Redis of another group that gets the address of a replica would become
 *       a replica of this group after 8 s, and lose its data. So the agent resets Sentinel at once.
 *       At the address of the primary, this group would follow it: the agent ends the monitoring.
 *   <li><b>Quorum.</b> Sentinels that are too few never fail over. The agent says so. Its pod stays
 *       ready: a StatefulSet makes the others anew only while it is.
 * </ol>
 */
public final class SentinelWatch implements PodMaintenance {
  /** The default port of Sentinel. */
  public static final int PORT = 26_379;

  private static final Logger LOG = LoggerFactory.getLogger(SentinelWatch.class);
  private static final Duration ANSWER_TIMEOUT = Duration.ofMillis(500);

  private final String pod;
  private final SentinelServer sentinel;
  private final Supplier<SentinelSettings> settings;
  private final Cluster cluster;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, UnknownInstances> unknownByGroup = new HashMap<>();
  private final LostQuorum lostQuorum = new LostQuorum();
  private final Logins logins = new Logins();
  private Map<String, String> reloadedOptions = Map.of();
  private String lastWarning = "";
  private volatile String quorumProblems = "";

  /**
   * How to find the Redis pods and the other Sentinels.
   *
   * @param namespace of all of them; empty: not known, so every Redis counts as one of the group
   * @param sentinels headless Service of the Sentinels
   * @param redisPort of every Redis
   */
  public record Cluster(
      ServiceAddresses addresses,
      String namespace,
      String sentinels,
      int redisPort,
      RedisServers servers) {

    /**
     * @param known the addresses that Sentinel knows, by group
     */
    private Map<String, ObservedGroup> observe(Map<String, Set<Address>> known) {
      Map<String, Set<Address>> present = new HashMap<>();
      for (var group : known.keySet()) {
        var hosts = addresses.of(group).stream();
        present.put(group, hosts.map(host -> new Address(host, redisPort)).collect(toSet()));
      }
      var all =
          Stream.concat(present.values().stream(), known.values().stream())
              .flatMap(Set::stream)
              .collect(toSet());
      var states = servers.statesOf(all, ANSWER_TIMEOUT);
      Map<String, ObservedGroup> observed = new HashMap<>();
      present.forEach(
          (group, pods) -> {
            var own = new HashMap<>(states);
            own.entrySet().removeIf(one -> !isMember(group, one));
            var strangers = new HashSet<>(pods);
            strangers.addAll(known.get(group));
            strangers.retainAll(states.keySet());
            strangers.removeAll(own.keySet());
            own.keySet().retainAll(pods);
            observed.put(group, new ObservedGroup(pods, own, strangers));
          });
      return observed;
    }

    private boolean isMember(String group, Map.Entry<Address, ReplicationState> one) {
      return namespace.isEmpty()
          || one.getValue().names().areOfGroup(namespace, group, one.getKey());
    }
  }

  /**
   * @param pod the pod of the Sentinel that listens at host and port
   * @param settings reads the current settings; fails while they cannot be read
   */
  public SentinelWatch(
      String pod, String host, int port, Supplier<SentinelSettings> settings, Cluster cluster) {
    this.pod = pod;
    this.sentinel = new SentinelServer(cluster.servers(), new Address(host, port));
    this.settings = settings;
    this.cluster = cluster;
  }

  /** The pod serves when its Sentinel answers and monitors all groups. */
  @Override
  public boolean maintain() {
    lock.lock();
    try {
      var desired = settings.get().with(reloadedOptions);
      var monitored = sentinel.monitoredGroups();
      logins.choose(sentinel, monitored.values());
      var observed = cluster.observe(known(desired.groups(), monitored));
      var serves = true;
      for (var group : desired.groups()) {
        serves &= isMonitored(group, monitored.get(group), observed.get(group), desired.options());
      }
      quorumProblems = lostQuorum.problems(sentinel, desired.groups(), Instant.now());
      if (serves) {
        lastWarning = "";
      }
      return serves;
    } catch (StatusRuntimeException | IllegalArgumentException | UncheckedIOException e) {
      warnOnce(String.valueOf(e.getMessage()));
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Applies options to all groups, and to groups that are added later.
   *
   * @return the value of each option in Sentinel
   */
  Map<String, String> reload(Map<String, String> options) {
    lock.lock();
    try {
      var before = sentinel.monitoredGroups();
      if (!before.keySet().containsAll(settings.get().groups())) {
        throw Status.UNAVAILABLE
            .withDescription(
                "the Sentinel of %s does not monitor all its groups yet".formatted(pod))
            .asRuntimeException();
      }
      before.values().forEach(group -> set(group, options));
      reloadedOptions = options;
      var monitored = sentinel.monitoredGroups().values();
      Map<String, String> inForce = new HashMap<>();
      options.keySet().forEach(option -> inForce.put(option, inForce(option, monitored)));
      return inForce;
    } finally {
      lock.unlock();
    }
  }

  private Map<String, Set<Address>> known(
      Collection<String> groups, Map<String, MonitoredGroup> monitored) {
    Map<String, Set<Address>> known = new HashMap<>();
    for (var group : groups) {
      var addresses = new HashSet<Address>();
      if (monitored.containsKey(group)) {
        addresses.add(monitored.get(group).primary());
        sentinel.replicas(group).forEach(one -> addresses.add(one.address()));
      }
      known.put(group, addresses);
    }
    return known;
  }

  private boolean isMonitored(
      String group, MonitoredGroup monitored, ObservedGroup observed, Map<String, String> options) {
    if (monitored == null) {
      var primary = observed.primary();
      primary.ifPresent(one -> monitor(group, one, Optional.empty(), options));
      return primary.isPresent();
    }
    if (observed.strangers().contains(monitored.primary())) {
      warnOnce("the Redis at %s is none of group %s".formatted(monitored.primary(), group));
      sentinel.remove(group); // it would make the group's pods replicas of that Redis
      return false;
    }
    if (!monitored.isFailingOver()) {
      observed
          .correctedPrimary(monitored.primary())
          .ifPresentOrElse(
              other -> monitor(group, other, Optional.of(monitored.primary()), options),
              () -> {
                logins.follow(sentinel, group);
                set(monitored, options);
                resetUnknown(monitored, observed);
              });
    }
    return true;
  }

  /** Why this Sentinel could not fail a group over; empty when it could. */
  Optional<String> quorumProblem() {
    return Optional.of(quorumProblems).filter(why -> !why.isEmpty());
  }

  /** When the agent dies between two of these commands, the next check does the rest. */
  private void monitor(
      String group, Address primary, Optional<Address> before, Map<String, String> options) {
    LOG.atInfo()
        .addKeyValue("pod", pod)
        .addKeyValue("group", group)
        .addKeyValue("primary", primary)
        .addKeyValue("before", before.map(Address::toString).orElse(""))
        .log("pointing Sentinel at the primary");
    before.ifPresent(old -> sentinel.remove(group));
    sentinel.monitor(group, primary, options.get(SentinelSettings.QUORUM));
    logins.begin(sentinel, group);
    set(sentinel.monitoredGroups().get(group), options);
  }

  private void set(MonitoredGroup monitored, Map<String, String> options) {
    options.forEach(
        (option, value) -> {
          if (!value.equals(monitored.fields().get(option))) {
            sentinel.set(monitored.group(), option, value);
          }
        });
  }

  private void resetUnknown(MonitoredGroup monitored, ObservedGroup observed) {
    var sentinels = Set.copyOf(cluster.addresses().of(cluster.sentinels()));
    if (observed.primary().isEmpty() || sentinels.isEmpty()) {
      return;
    }
    var replicas = new HashSet<Address>();
    sentinel.replicas(monitored.group()).forEach(one -> replicas.add(one.address()));
    var strangers = new HashSet<>(replicas);
    strangers.retainAll(observed.strangers());
    var unknown = new HashSet<>(replicas);
    unknown.removeAll(observed.present());
    unknown.addAll(strangers);
    sentinel.otherSentinels(monitored.group()).stream()
        .map(KnownInstance::address)
        .filter(one -> !sentinels.contains(one.host()))
        .forEach(unknown::add);
    var ofGroup =
        unknownByGroup.computeIfAbsent(monitored.group(), group -> new UnknownInstances());
    var isDue = ofGroup.isResetDue(unknown, Instant.now());
    if (ofGroup.areNew(strangers, Instant.now()) || isDue && observed.isComplete()) {
      LOG.atInfo()
          .addKeyValue("pod", pod)
          .addKeyValue("group", monitored.group())
          .addKeyValue("unknown", unknown)
          .addKeyValue("strangers", strangers)
          .log("resetting Sentinel: it knows instances that do not belong to the group");
      sentinel.reset(monitored.group());
      ofGroup.resetDone(unknown, Instant.now());
    }
  }

  /** The value of the option in all groups, or the different values. */
  private static String inForce(String option, Collection<MonitoredGroup> monitored) {
    return monitored.stream()
        .map(one -> one.fields().getOrDefault(option, ""))
        .distinct()
        .collect(joining(", "));
  }

  private void warnOnce(String cause) {
    if (!cause.equals(lastWarning)) {
      lastWarning = cause;
      LOG.atWarn()
          .addKeyValue("pod", pod)
          .addKeyValue("cause", cause)
          .log("cannot maintain Sentinel; retrying");
    }
  }
}
