package io.middleware.engine.e2e.redis;

import static io.middleware.engine.e2e.Stopwatch.secondsUntil;

import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.util.Collections;
import java.util.function.ObjDoubleConsumer;
import java.util.stream.Stream;

/** How soon real Redis servers do what is asked, and how long their users wait meanwhile. */
public final class RedisTimes {
  private static final long MIB = 1024L * 1024;
  private static final int NODES = 6;
  private static final int REPLICAS = 3;
  private static final int FIRST_VALUE = 200;
  private static final double MILLIS = 1e3;

  private RedisTimes() {}

  public static boolean areMeasurable() {
    return DeployedRedisGroup.areReal();
  }

  /** From an edit of maxmemory until all nodes of two groups say that it is in force. */
  public static void measureHotChanges(int runs, ObjDoubleConsumer<String> figures) {
    try (var shop = new Shop();
        var main = new DeployedRedisGroup(shop, "main");
        var other = new DeployedRedisGroup(shop, "other")) {
      var app = app(shop).replaceFirst("( +- \\{name: )main(.*)", "$0\n$1other$2");
      main.deploy(app);
      for (int value = FIRST_VALUE; value < FIRST_VALUE + runs; value++) {
        var wanted = Collections.nCopies(NODES, String.valueOf(value * MIB));
        shop.apply(app.replace("maxmemory: 100mb", "maxmemory: %dmb".formatted(value)));
        var seconds =
            secondsUntil(
                "maxmemory in force",
                () ->
                    Stream.of(main, other).flatMap(RedisTimes::maxmemory).toList().equals(wanted));
        figures.accept("P20.hot", seconds * MILLIS);
        shop.awaitReady("cache");
      }
    }
  }

  private static Stream<String> maxmemory(DeployedRedisGroup group) {
    return group.writer.inForce("maxmemory").stream();
  }

  /** The longest gap of writes during switchovers to each of the pods, and to any. */
  public static void measureSwitchovers(ObjDoubleConsumer<String> figures)
      throws InterruptedException {
    try (var shop = new Shop();
        var group = new DeployedRedisGroup(shop, "main")) {
      group.deploy(app(shop));
      group.writer.start();
      for (int number = REPLICAS - 1; number >= 0; number--) {
        switchOver(shop, "to-" + number, ", pods: [cache-redis-nodes-main-%d]".formatted(number));
      }
      switchOver(shop, "to-any", "");
      var gap = group.assertThatNothingIsLost("4 switchovers").longestGap();
      figures.accept("P20.switchover", gap.toMillis() / MILLIS);
    }
  }

  private static void switchOver(Shop shop, String name, String pods) {
    new AppOperation(shop, name, "Switchover")
        .apply(", target: {component: redis-nodes%s}".formatted(pods))
        .ends("Succeeded");
  }

  private static Yaml app(Shop shop) {
    return shop.file("plugins/redis/app-replication.yaml");
  }
}
