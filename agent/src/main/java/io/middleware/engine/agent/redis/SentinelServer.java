package io.middleware.engine.agent.redis;

import static io.lettuce.core.codec.StringCodec.UTF8;
import static io.lettuce.core.protocol.CommandType.SENTINEL;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ListOfMapsOutput;
import io.lettuce.core.output.StatusOutput;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.account.Password;
import io.middleware.engine.agent.account.PasswordRotation;
import io.middleware.engine.agent.account.PasswordRotation.Step;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A client of one Sentinel; fails like a {@link RedisServer}. A Sentinel with a certificate reaches
 * all others by TLS only, and knows them by that port.
 */
record SentinelServer(RedisServers servers, Address address) {

  /**
   * A group that Sentinel monitors.
   *
   * @param primary the primary in Sentinel's view, whether it answers or not
   * @param fields all fields that Sentinel reports
   */
  record MonitoredGroup(String group, Address primary, Map<String, String> fields) {
    boolean isFailingOver() {
      return fields.getOrDefault("flags", "").contains("failover_in_progress");
    }
  }

  Map<String, MonitoredGroup> monitoredGroups() {
    return list("MASTERS").stream()
        .map(one -> new MonitoredGroup(one.get("name"), known(one).address(), one))
        .collect(toMap(MonitoredGroup::group, identity()));
  }

  /**
   * A replica or Sentinel that Sentinel knows.
   *
   * @param isDown whether Sentinel considers it down
   */
  record KnownInstance(Address address, boolean isDown) {}

  private KnownInstance known(Map<String, String> fields) {
    var named = new Address(fields.get("ip"), Integer.parseInt(fields.get("port")));
    return new KnownInstance(
        servers.tls().isPresent() ? named.ofTls() : named,
        fields.getOrDefault("flags", "").contains("s_down"));
  }

  /** The group's replicas. */
  List<KnownInstance> replicas(String group) {
    return list("REPLICAS", group).stream().map(this::known).toList();
  }

  /** The other Sentinels that monitor the group. */
  List<KnownInstance> otherSentinels(String group) {
    return list("SENTINELS", group).stream().map(this::known).toList();
  }

  void monitor(String group, Address primary, String quorum) {
    var reached = servers.tls().isPresent() ? primary.forTls() : primary;
    command("MONITOR", group, reached.host(), String.valueOf(reached.port()), quorum);
  }

  void set(String group, String option, String value) {
    command("SET", group, option, value);
  }

  private void logIn(String group, Password password) {
    set(group, "auth-user", AccountFiles.ENGINE);
    server()
        .call(
            "SENTINEL SET %s auth-pass".formatted(group),
            SENTINEL,
            new StatusOutput<>(UTF8),
            "SET",
            group,
            "auth-pass",
            password.text());
  }

  void remove(String group) {
    command("REMOVE", group);
  }

  /**
   * Makes Sentinel forget all replicas and other Sentinels and discover the existing ones again.
   */
  void reset(String group) {
    server().call(SENTINEL, new IntegerOutput<>(UTF8), "RESET", group);
  }

  /** Why the Sentinels that this one knows cannot fail the group over; empty when they can. */
  Optional<String> quorumProblem(String group) {
    try {
      command("CKQUORUM", group);
      return Optional.empty();
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.FAILED_PRECONDITION) {
        throw e;
      }
      return Optional.ofNullable(e.getStatus().getDescription());
    }
  }

  private void command(String... arguments) {
    server().call(SENTINEL, new StatusOutput<>(UTF8), arguments);
  }

  private List<Map<String, String>> list(String... arguments) {
    return server().call(SENTINEL, new ListOfMapsOutput<>(UTF8), arguments);
  }

  private RedisServer server() {
    return servers.at(address);
  }

  private boolean isAccepted(MonitoredGroup group, Password password) {
    return Stream.concat(Stream.of(known(group.fields())), replicas(group.group()).stream())
        .allMatch(one -> servers.accepts(one.address(), password).orElse(one.isDown()));
  }

  /** The passwords that a Sentinel was told, per group. It shows none that it has. */
  static final class Logins {
    private final Map<String, Password> told = new ConcurrentHashMap<>();
    private volatile Optional<Password> current = Optional.empty();

    /**
     * A Sentinel that cannot log in to a primary takes it for down. So it is told a changed
     * password only when all servers accept it that it does not take for down anyway.
     */
    void choose(SentinelServer sentinel, Collection<MonitoredGroup> monitored) {
      current =
          sentinel
              .servers()
              .login(
                  password ->
                      !monitored.isEmpty()
                          && monitored.stream()
                              .allMatch(group -> sentinel.isAccepted(group, password)));
    }

    /** The Sentinel has begun to monitor the group, and has no password for it. */
    void begin(SentinelServer sentinel, String group) {
      told.remove(group);
      follow(sentinel, group);
    }

    /**
     * What is missing for a step of a rotation; empty when it is done. Nobody logs in to a
     * Sentinel, so it has only to use the current password.
     */
    Optional<String> missing(
        PasswordRotation rotation, AccountFiles files, Collection<String> groups) {
      var missing = rotation.missing(files.kept(), RedisAccounts.ACCOUNTS);
      if (missing.isPresent() || rotation.step() == Step.ACCEPT) {
        return missing;
      }
      return groups.stream()
          .filter(group -> !files.engine().equals(Optional.ofNullable(told.get(group))))
          .findFirst()
          .map("Sentinel logs in to group %s with another password"::formatted);
    }

    /** Tells the Sentinel a password that has changed. */
    void follow(SentinelServer sentinel, String group) {
      if (current.isPresent() && !current.get().equals(told.get(group))) {
        sentinel.logIn(group, current.get());
        told.put(group, current.get());
      }
    }
  }

  /** What a Sentinel says, per group, about too few Sentinels for a failover. */
  static final class LostQuorum {
    /**
     * After a switchover or a reset, Sentinels forget each other, and greet each other again after
     * 2 s.
     */
    private static final Duration GREETING = Duration.ofSeconds(15);

    private final Map<String, Instant> since = new HashMap<>();

    /** Which of the groups it could not fail over, for people; empty when it could all. */
    String problems(SentinelServer sentinel, Collection<String> groups, Instant now) {
      return groups.stream()
          .flatMap(
              group ->
                  lasting(group, sentinel.quorumProblem(group), now)
                      .map(why -> "it cannot fail group %s over: %s".formatted(group, why))
                      .stream())
          .collect(joining("; "));
    }

    /**
     * What it says, once it has said so for a while.
     *
     * @param said what it says now; empty when there are enough
     */
    Optional<String> lasting(String group, Optional<String> said, Instant now) {
      if (said.isEmpty()) {
        since.remove(group);
        return Optional.empty();
      }
      return since.computeIfAbsent(group, first -> now).plus(GREETING).isAfter(now)
          ? Optional.empty()
          : said;
    }
  }
}
