package io.middleware.engine.agent.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What one Redis reports by {@code INFO replication keyspace}.
 *
 * @param primaryAddress the primary that it follows, whether that answers or not; {@link
 *     Address#NONE} when it is primary itself
 * @param link to its primary
 * @param failingOver whether it is switching over
 */
record ReplicationState(
    boolean primary,
    Address primaryAddress,
    Link link,
    History history,
    boolean failingOver,
    List<Follower> followers) {
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
   * What a Redis has of the data of its group.
   *
   * @param offset how much of the group's history; Redis forgets it when it starts from append-only
   *     files
   * @param empty whether it certainly has no key
   */
  record History(long offset, boolean empty) {}

  /** The address of a Redis. */
  record Address(String host, int port) {
    static final Address NONE = new Address("", 0);

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

  static ReplicationState parse(String info) {
    var fields = fields(info);
    var primary = "master".equals(fields.get("role"));
    return new ReplicationState(
        primary,
        primary ? Address.NONE : address(fields, "master_host", "master_port"),
        link(fields),
        new History(
            number(fields, primary ? "master_repl_offset" : "slave_repl_offset"), isEmpty(info)),
        !fields.getOrDefault("master_failover_state", "no-failover").equals("no-failover"),
        followers(fields));
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
  private static List<Follower> followers(Map<String, String> fields) {
    List<Follower> followers = new ArrayList<>();
    for (var i = 0; fields.containsKey("slave" + i); i++) {
      var one = fields(fields.get("slave" + i).replace('=', ':').replace(',', '\n'));
      followers.add(
          new Follower(
              address(one, "ip", "port"),
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
