package io.middleware.engine.agent.redis;

import static io.lettuce.core.codec.StringCodec.UTF8;
import static io.lettuce.core.protocol.CommandType.SENTINEL;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ListOfMapsOutput;
import io.lettuce.core.output.StatusOutput;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.util.List;
import java.util.Map;

/** One Sentinel, by its own commands; fails as a {@link RedisServer} does. */
record SentinelServer(RedisServers servers, Address address) {

  /**
   * A group as Sentinel knows it.
   *
   * @param primary whom it takes for the primary, whether that answers or not
   * @param fields all that Sentinel says of it
   */
  record MonitoredGroup(String group, Address primary, Map<String, String> fields) {
    private static MonitoredGroup of(Map<String, String> fields) {
      return new MonitoredGroup(fields.get("name"), KnownInstance.of(fields).address(), fields);
    }

    boolean isFailingOver() {
      return fields.getOrDefault("flags", "").contains("failover_in_progress");
    }
  }

  Map<String, MonitoredGroup> watched() {
    return list("MASTERS").stream().map(MonitoredGroup::of).collect(toMap(MonitoredGroup::group, identity()));
  }

  /**
   * Whom it has once heard of.
   *
   * @param silent whether it takes it for down
   */
  record KnownInstance(Address address, boolean silent) {
    private static KnownInstance of(Map<String, String> fields) {
      return new KnownInstance(address(fields), fields.getOrDefault("flags", "").contains("s_down"));
    }

    private static Address address(Map<String, String> fields) {
      return new Address(fields.get("ip"), Integer.parseInt(fields.get("port")));
    }
  }

  /** The group's replicas. */
  List<KnownInstance> replicas(String group) {
    return list("REPLICAS", group).stream().map(KnownInstance::of).toList();
  }

  /** The other Sentinels that watch the group. */
  List<KnownInstance> others(String group) {
    return list("SENTINELS", group).stream().map(KnownInstance::of).toList();
  }

  void watch(String group, Address primary, String quorum) {
    tell("MONITOR", group, primary.host(), String.valueOf(primary.port()), quorum);
  }

  void set(String group, String option, String value) {
    tell("SET", group, option, value);
  }

  void unwatch(String group) {
    tell("REMOVE", group);
  }

  /** Lets it forget the group's replicas and other Sentinels; those that are there are found. */
  void rediscover(String group) {
    server().call(SENTINEL, new IntegerOutput<>(UTF8), "RESET", group);
  }

  private void tell(String... words) {
    server().call(SENTINEL, new StatusOutput<>(UTF8), words);
  }

  private List<Map<String, String>> list(String... words) {
    return server().call(SENTINEL, new ListOfMapsOutput<>(UTF8), words);
  }

  private RedisServer server() {
    return servers.at(address);
  }
}
