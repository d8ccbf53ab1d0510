package io.middleware.engine.e2e.testing;

import io.middleware.engine.api.App;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.util.List;

/** An IntegrationTest that deploys the App {@code one}, upgrades it and leads it back. */
final class RoundTrip {
  static final String GOOD =
      "{name: whole, allOf: [{cel: \"object('App', 'one').status.ready == '1/1'\"}]}";

  private static final List<String> PHASES =
      List.of("Pending", "Applying", "Converging", "Readying", "Checking", "Passed");

  final IntegrationRun run;
  private final Shop shop;

  RoundTrip(Shop shop) {
    this.shop = shop;
    this.run = new IntegrationRun(shop, "upgrade");
  }

  /** Applies what it needs: the Plugin, and the account with its rights. */
  void prepare() {
    shop.applyPlugin(plugin());
    shop.apply(shop.file("k8s/samples/tester.yaml"));
  }

  /** The test, with this check after the upgrade and after the way back. */
  Yaml yaml(String check) {
    return run.yaml(
        IntegrationRun.step("provision", version("7.0"), "")
            + IntegrationRun.step("up", version("7.2"), check)
            + IntegrationRun.step("down", version("7.0"), check));
  }

  /** The App, on this version. */
  Yaml version(String version) {
    return shop.small("one")
        .replace("version: 1.0.0", "version: 1.0.8")
        .replace("version: \"7.0\"", "version: \"%s\"".formatted(version));
  }

  /** Null if there is none. */
  App app() {
    return shop.app("one");
  }

  /** Waits until the upgrade is in this phase, or in a later one. */
  void awaitReached(String phase) {
    run.awaits(
        status ->
            IntegrationRun.phaseOf(status, "up")
                .filter(now -> PHASES.indexOf(now) >= PHASES.indexOf(phase))
                .isPresent());
  }

  /** It leads back as well. */
  private Yaml plugin() {
    return shop.sample("plugin-redis.yaml")
        .replace("redis-v1.0.0", "redis-v1.0.8")
        .replace("version: 1.0.0", "version: 1.0.8")
        .replace("- version: \"7.0\"\n", "- version: \"7.0\"\n      upgradesFrom: [\"7.2\"]\n");
  }
}
