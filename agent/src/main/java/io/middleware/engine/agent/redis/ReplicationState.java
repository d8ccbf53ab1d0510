package io.middleware.engine.agent.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one Redis reports by {@code INFO replication}.
 *
 * @param primaryAddress the primary that it follows, whether that answers or not; {@link
 *     Address#NONE} when it is primary itself
 * @param linkUp whether it is connected to its primary
 * @param offset how much of the group's history it has
 * @param failingOver whether it is switching over
 */
record ReplicationState(
    boolean primary,
    Address primaryAddress,
    boolean linkUp,
    long offset,
    boolean failingOver,
    List<Follower> followers) {

  ReplicationState {
    followers = List.copyOf(followers);
  }

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
        "up".equals(fields.get("master_link_status")),
        number(fields, primary ? "master_repl_offset" : "slave_repl_offset"),
        !fields.getOrDefault("master_failover_state", "no-failover").equals("no-failover"),
        followers(fields));
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
