package io.middleware.engine.e2e.chance;

import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;

/** {@code Soak COUNT SEED}: random schedules, for {@code dev/bench --soak}. */
public final class Soak {
  private Soak() {}

  /** Ends with 1 when something was not as it should be. */
  public static void main(String[] arguments) {
    try (var shop = new Shop();
        var temporal = new Temporal()) {
      var count = Integer.parseInt(arguments[0]);
      var seed = Long.parseLong(arguments[1]);
      var failures = new RandomSchedules(shop, temporal, count, seed).run();
      failures.forEach(System.out::println);
      System.exit(failures.isEmpty() ? 0 : 1);
    }
  }
}
