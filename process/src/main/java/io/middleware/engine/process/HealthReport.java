package io.middleware.engine.process;

import io.middleware.engine.process.Health.Bad;
import io.middleware.engine.process.Health.Good;
import io.middleware.engine.process.Health.Unknown;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The results of a round of checks, by the name of the check. */
record HealthReport(Map<String, Health> results) {
  private static final Executor VIRTUAL =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("check-", 0).factory());

  /** Runs all checks in parallel; a check that does not answer in time has failed. */
  static HealthReport of(List<HealthCheck> checks, Duration timeout) {
    Map<String, CompletableFuture<Health>> running = new LinkedHashMap<>();
    String late = "no answer within " + timeout.toMillis() + " ms";
    for (HealthCheck check : checks) {
      running.put(
          check.name(),
          CompletableFuture.supplyAsync(check.look(), VIRTUAL)
              .completeOnTimeout(new Bad(late), timeout.toMillis(), TimeUnit.MILLISECONDS)
              .exceptionally(HealthReport::thrown));
    }
    Map<String, Health> results = new LinkedHashMap<>();
    running.forEach((name, answer) -> results.put(name, answer.join()));
    return new HealthReport(results);
  }

  private static Health thrown(Throwable thrown) {
    return new Bad(
        String.valueOf(thrown instanceof CompletionException ? thrown.getCause() : thrown));
  }

  boolean isHealthy() {
    return results.values().stream().map(Health::problem).allMatch(Optional::isEmpty);
  }

  /** The body of the response. */
  Map<String, Object> asJson() {
    Map<String, Object> checks = new LinkedHashMap<>();
    results.forEach((name, health) -> checks.put(name, asJson(health)));
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("ok", isHealthy());
    body.put("checks", checks);
    return body;
  }

  private static Map<String, Object> asJson(Health health) {
    return switch (health) {
      case Good() -> Map.of("ok", true);
      case Bad(var reason) -> Map.of("ok", false, "reason", reason);
      case Unknown(var reason) -> Map.of("unknown", true, "reason", reason);
    };
  }
}
