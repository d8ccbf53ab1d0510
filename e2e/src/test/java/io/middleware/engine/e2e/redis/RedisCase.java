package io.middleware.engine.e2e.redis;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.e2e.Yaml;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * What a person does to a Redis, and what happens meanwhile, as a seed has it.
 *
 * @param logged whether it begins with an append-only log
 * @param value what the parameter is set to
 * @param moment when the trouble comes, in milliseconds after the first edit
 */
record RedisCase(
    long seed,
    int pods,
    boolean logged,
    String parameter,
    String value,
    Situation situation,
    Trouble trouble,
    int moment) {
  private static final int LATEST_MOMENT = 4000;
  private static final List<Parameter> PARAMETERS = parameters();

  /** Values of parameters whose schema does not list them; small enough for the data to fit. */
  private static final Map<String, List<String>> SAMPLES =
      Map.of(
          "maxmemory", List.of("64mb", "200mb", "0"),
          "save", List.of("60 1", "3600 1", "900 1 300 10"),
          "repl-backlog-size", List.of("1mb", "32mb"),
          "dbfilename", List.of("other.rdb"),
          "min-replicas-to-write", List.of("0"), // others refuse writes while a replica is away
          "timeout", List.of("0", "300"),
          "io-threads", List.of("1", "2"),
          "databases", List.of("8", "32"));

  /** How the parameter is changed. */
  enum Situation {
    RUNNING,
    STOPPED,
    NO_REPLICAS,
    WITH_A_RESTART,
    WITH_AN_UPGRADE,
    NEWER_PLUGIN,
    OLDER_PLUGIN
  }

  /** What happens beside it. */
  enum Trouble {
    NONE,
    PROCESS_KILLED,
    POD_DELETED,
    SAVES_FAIL,
    SAVES_ARE_SLOW,
    CLAIM_DELETED
  }

  static RedisCase of(long seed) {
    var random = new Random(seed);
    var parameter = one(random, PARAMETERS);
    return new RedisCase(
        seed,
        one(random, List.of(1, 3)),
        random.nextBoolean(),
        parameter.name(),
        one(random, values(parameter)),
        one(random, List.of(Situation.values())),
        one(random, List.of(Trouble.values())),
        random.nextInt(LATEST_MOMENT));
  }

  /** Whether writes that no replica and no disk has confirmed may be lost. */
  boolean mayLoseUnconfirmed() {
    return pods == 1 && trouble == Trouble.PROCESS_KILLED;
  }

  private static List<String> values(Parameter parameter) {
    return SAMPLES.containsKey(parameter.name())
        ? SAMPLES.get(parameter.name())
        : Stream.concat(
                Stream.ofNullable(parameter.allowed()).flatMap(List::stream),
                Stream.of(parameter.defaultValue()))
            .map(String::valueOf)
            .distinct()
            .toList();
  }

  private static List<Parameter> parameters() {
    return Serialization.unmarshal(Yaml.read("plugins/redis/plugin.yaml").text(), Plugin.class)
        .getSpec()
        .componentTypes()
        .stream()
        .filter(type -> type.name().equals("redis"))
        .map(ComponentType::parameters)
        .flatMap(List::stream)
        .toList();
  }

  private static <T> T one(Random random, List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  @Override
  public String toString() {
    return "seed %d: %d pods%s, %s to '%s' %s, %s after %d ms"
        .formatted(
            seed, pods, logged ? " with a log" : "", parameter, value, situation, trouble, moment);
  }
}
