package io.middleware.engine.process;

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

/** The results of a round of checks: for each check, its problem if it has one. */
record HealthReport(Map<String, Optional<String>> problems) {
  private static final Executor VIRTUAL =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("check-", 0).factory());

  /** Runs all checks in parallel; a check that does not answer in time has failed. */
  static HealthReport of(List<HealthCheck> checks, Duration timeout) {
    Map<String, CompletableFuture<Optional<String>>> running = new LinkedHashMap<>();
    String late = "no answer within " + timeout.toMillis() + " ms";
    for (HealthCheck check : checks) {
      running.put(
          check.name(),
          CompletableFuture.supplyAsync(check.problem(), VIRTUAL)
              .completeOnTimeout(Optional.of(late), timeout.toMillis(), TimeUnit.MILLISECONDS)
              .exceptionally(HealthReport::thrown));
    }
    Map<String, Optional<String>> problems = new LinkedHashMap<>();
    running.forEach((name, answer) -> problems.put(name, answer.join()));
    return new HealthReport(problems);
  }

  private static Optional<String> thrown(Throwable thrown) {
    return Optional.of(
        String.valueOf(thrown instanceof CompletionException ? thrown.getCause() : thrown));
  }

  boolean isHealthy() {
    return problems.values().stream().allMatch(Optional::isEmpty);
  }

  /** The body of the response. */
  Map<String, Object> asJson() {
    Map<String, Object> checks = new LinkedHashMap<>();
    problems.forEach(
        (name, problem) ->
            checks.put(
                name,
                problem
                    .map(reason -> Map.<String, Object>of("ok", false, "reason", reason))
                    .orElse(Map.of("ok", true))));
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("ok", isHealthy());
    body.put("checks", checks);
    return body;
  }
}
