package io.middleware.engine.agent.redis;

import static java.util.stream.Collectors.toSet;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.account.PasswordRotation;
import io.middleware.engine.agent.driver.PodMaintenance;
import io.middleware.engine.agent.redis.ReplicationState.Address;
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
 *   <li><b>Groups that come and go.</b> A reload tells the agent which groups to monitor, as the
 *       file of the pod may be older for a minute. The agent also ends the monitoring of a group
 *       that has gone from the file, but never that of one which it has not seen there: after a
 *       start the file may not have it yet.
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
  private final Set<String> seen = new HashSet<>();
  private Map<String, String> reloaded = Map.of();
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
      var desired = settings.get().with(reloaded);
      forget(desired, sentinel.monitoredGroups().keySet().stream().filter(seen::contains));
      var serves = monitor(desired);
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
   * Monitors these groups and no others, and applies options to all of them.
   *
   * @param parameters as in the ConfigMap
   * @return the value of each parameter in Sentinel
   */
  Map<String, String> reload(Map<String, String> parameters) {
    lock.lock();
    try {
      var desired = settings.get().with(parameters);
      reloaded = parameters;
      forget(desired, sentinel.monitoredGroups().keySet().stream());
      monitor(desired);
      var monitored = sentinel.monitoredGroups();
      desired.requireAll(pod, monitored.keySet());
      monitored.values().forEach(group -> set(group, desired.options()));
      return desired.inForce(parameters.keySet(), sentinel.monitoredGroups());
    } finally {
      lock.unlock();
    }
  }

  /** Whether all groups are monitored. */
  private boolean monitor(SentinelSettings desired) {
    seen.addAll(desired.groups());
    var monitored = sentinel.monitoredGroups();
    logins.choose(sentinel, monitored.values());
    var observed = cluster.observe(known(desired.groups(), monitored));
    var all = true;
    for (var group : desired.groups()) {
      all &= isMonitored(group, monitored.get(group), observed.get(group), desired.options());
    }
    return all;
  }

  private void forget(SentinelSettings desired, Stream<String> monitored) {
    monitored
        .filter(group -> !desired.groups().contains(group))
        .forEach(
            group -> {
              LOG.atInfo().addKeyValue("pod", pod).addKeyValue("group", group).log("forgets group");
              sentinel.remove(group);
              unknownByGroup.remove(group);
            });
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

  /** What is missing for a step of a rotation; empty when it is done. */
  Optional<String> rotate(PasswordRotation rotation) {
    return logins.missing(rotation, cluster.servers().accounts(), settings.get().groups());
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
    if (observed.primary().isPresent() && !sentinels.isEmpty()) {
      unknownByGroup
          .computeIfAbsent(monitored.group(), UnknownInstances::new)
          .resetDue(sentinel, observed, sentinels, Instant.now());
    }
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
