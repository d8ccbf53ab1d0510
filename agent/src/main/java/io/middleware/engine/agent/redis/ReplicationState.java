package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.replication.History;
import io.middleware.engine.agent.replication.ReplicationMark;
import io.middleware.engine.agent.replication.ReplicationRole;
import io.middleware.engine.agent.replication.RoleClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * What one Redis reports by {@code INFO}, and which pod and which mark it names.
 *
 * @param primaryAddress the primary that it follows, whether that answers or not; {@link
 *     Address#NONE} when it is primary itself
 * @param link to its primary
 * @param failingOver whether it is switching over
 * @param ending whether its pod ends, so that nobody makes it the primary
 */
record ReplicationState(
    boolean primary,
    Address primaryAddress,
    Link link,
    History history,
    boolean failingOver,
    boolean ending,
    List<Follower> followers,
    Names names) {
  private static final Pattern DATABASE = Pattern.compile("db\\d+:keys=.*");

  ReplicationState {
    followers = List.copyOf(followers);
  }

  /** The connection of a replica to its primary. */
  enum Link {
    DOWN,
    /** It receives a copy of all data, which will replace its own. */
    COPYING,
    UP
  }

  /**
   * What parameters of a Redis say about it.
   *
   * @param identity empty: an earlier Plugin started it, or none
   * @param announced the address under which it names itself to its primary
   * @param mark what its agent reports; empty: its agent has not reported anything since its start
   * @param tlsPort on which it speaks TLS, as the others of its group do; 0: on none
   */
  record Names(
      Optional<RedisIdentity> identity,
      String announced,
      Optional<ReplicationMark> mark,
      int tlsPort) {
    static final Names NONE = new Names(Optional.empty(), "", Optional.empty(), 0);

    /** A text that other agents read; without cluster mode Redis has no use for it. */
    static final String MARK = "cluster-announce-hostname";

    private static final String ANNOUNCED = "replica-announce-ip";

    private static final String TLS_PORT = "tls-port";

    static final List<String> PARAMETERS =
        List.of(RedisIdentity.PARAMETER, ANNOUNCED, MARK, TLS_PORT);

    static Names of(Map<String, String> parameters) {
      return new Names(
          RedisIdentity.parse(parameters.getOrDefault(RedisIdentity.PARAMETER, "")),
          parameters.getOrDefault(ANNOUNCED, ""),
          ReplicationMark.parse(parameters.getOrDefault(MARK, "")),
          Integer.parseInt(parameters.getOrDefault(TLS_PORT, "0")));
    }

    /** A Redis is known by its port in clear, whichever one it is reached by. */
    private Address known(Address named) {
      return tlsPort > 0 && named.port() == tlsPort ? named.ofTls() : named;
    }

    /** Whether it is a Redis of this group. An earlier Plugin made it only announce its address. */
    boolean areOfGroup(String namespace, String set, Address address) {
      return identity
          .map(one -> one.isOfGroup(namespace, set))
          .orElseGet(() -> announced.equals(address.host()));
    }

    boolean areOfPod(String namespace, RedisPeer peer) {
      return identity
          .map(one -> one.isPod(namespace, peer.pod()))
          .orElseGet(() -> announced.equals(peer.host()));
    }
  }

  /** The address of a Redis. */
  record Address(String host, int port) {
    static final Address NONE = new Address("", 0);

    /** Where no server is: a replica that follows it keeps its data and waits. */
    static final Address NOBODY = new Address("127.0.0.1", 1);

    /** Where the same Redis or Sentinel speaks TLS: at the next port. */
    Address forTls() {
      return equals(NOBODY) ? NOBODY : new Address(host, port + 1);
    }

    /** The other way round. */
    Address ofTls() {
      return new Address(host, port - 1);
    }

    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /**
   * A replica as its primary reports it.
   *
   * @param lagSeconds since its last report
   */
  record Follower(Address address, boolean online, long offset, long lagSeconds) {}

  static ReplicationState parse(String info, Names names) {
    var fields = fields(info);
    var primary = "master".equals(fields.get("role"));
    return new ReplicationState(
        primary,
        primary ? Address.NONE : names.known(address(fields, "master_host", "master_port")),
        link(fields),
        history(info, fields, primary),
        !fields.getOrDefault("master_failover_state", "no-failover").equals("no-failover"),
        "0".equals(fields.get("slave_priority")),
        followers(fields, names),
        names);
  }

  ReplicationMark mark() {
    return names.mark().orElse(ReplicationMark.NONE);
  }

  /** Whether it has a primary's mark for what it is now. */
  boolean isEstablished() {
    return primary && mark().isPrimaryWith(history.id());
  }

  /**
   * The epoch of the mark is the term. A primary that is not marked yet has the next one if it will
   * be marked. Otherwise it must not claim more than the one to which it will yield.
   *
   * @param stays whether a primary that is not marked stays the primary; asked only of such a one
   */
  RoleClaim claim(BooleanSupplier stays) {
    var role = (primary ? ReplicationRole.PRIMARY : ReplicationRole.REPLICA).wireName();
    if (mark().isForeign()) {
      return new RoleClaim(role, 0);
    }
    var isMarked = isEstablished() || mark().isPrimaryWith("");
    var isNext = primary && !isMarked && stays.getAsBoolean();
    return new RoleClaim(role, mark().epoch() + (isNext ? 1 : 0));
  }

  boolean linkUp() {
    return link == Link.UP;
  }

  long offset() {
    return history.offset();
  }

  boolean follows(Address primary) {
    return !this.primary && primaryAddress.equals(primary);
  }

  /** Lines such as {@code role:master}. */
  static Map<String, String> fields(String info) {
    Map<String, String> fields = new HashMap<>();
    for (var line : info.lines().toList()) {
      var colon = line.indexOf(':');
      if (colon > 0) {
        fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
      }
    }
    return fields;
  }

  private static History history(String info, Map<String, String> fields, boolean primary) {
    return new History(
        fields.getOrDefault("master_replid", ""),
        fields.getOrDefault("master_replid2", "").replaceFirst("^0+$", ""),
        number(fields, primary ? "master_repl_offset" : "slave_repl_offset"),
        isEmpty(info));
  }

  private static Link link(Map<String, String> fields) {
    if ("up".equals(fields.get("master_link_status"))) {
      return Link.UP;
    }
    return "1".equals(fields.get("master_sync_in_progress")) ? Link.COPYING : Link.DOWN;
  }

  /** Each database with keys has a line, such as {@code db0:keys=3,expires=0,avg_ttl=0}. */
  private static boolean isEmpty(String info) {
    return info.contains("# Keyspace") && info.lines().noneMatch(DATABASE.asMatchPredicate());
  }

  /** {@code slave0:ip=10.0.0.7,port=6379,state=online,offset=42,lag=0}. */
  private static List<Follower> followers(Map<String, String> fields, Names names) {
    List<Follower> followers = new ArrayList<>();
    for (var i = 0; fields.containsKey("slave" + i); i++) {
      var one = fields(fields.get("slave" + i).replace('=', ':').replace(',', '\n'));
      followers.add(
          new Follower(
              names.known(address(one, "ip", "port")),
              "online".equals(one.get("state")),
              number(one, "offset"),
              number(one, "lag")));
    }
    return followers;
  }

  private static Address address(Map<String, String> fields, String host, String port) {
    return new Address(fields.getOrDefault(host, ""), (int) number(fields, port));
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(fields.getOrDefault(name, "0"));
  }
}
