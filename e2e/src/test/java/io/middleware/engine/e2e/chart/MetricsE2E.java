package io.middleware.engine.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the processes export is what the reference says, and not much more. */
@EndToEnd
class MetricsE2E {
  /** Their number depends on the types of activities, not on Apps. */
  private static final int MOST_SERIES = 2000;

  private static final Pattern OWN = Pattern.compile("(?m)^# HELP (middleware_\\w+?)(_max)? (.*)$");

  private final Shop shop;

  MetricsE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldCountTheAppsAndChangesThatThereAre() {
    // When
    shop.apply(shop.small("counted"));
    shop.awaitReady("counted");
    // Then
    awaitPositive("WATCHER_URL", "middleware_apps{phase=\"Running\"}");
    awaitPositive("WORKER_URL", "middleware_changes_total{outcome=\"Succeeded\"}");
    awaitPositive("WORKER_URL", "middleware_change_duration_seconds_count{outcome=\"Succeeded\"}");
  }

  @Test
  void shouldDescribeEachMetricAndHaveFewSeries() throws IOException {
    var reference = Files.readString(Engine.CHECKOUT.resolve("docs/reference/metrics.md"));
    for (var process : List.of("WATCHER_URL", "WORKER_URL")) {
      // When
      var scraped = Engine.metrics(Engine.variable(process));
      // Then
      var own = OWN.matcher(scraped).results().toList();
      assertThat(own).as(process).isNotEmpty();
      assertThat(own)
          .allSatisfy(
              metric -> {
                assertThat(metric.group(3)).as(metric.group(1)).isNotBlank();
                assertThat(reference).contains("`" + metric.group(1) + "`");
              });
      assertThat(scraped.lines().filter(line -> !line.startsWith("#")).count())
          .as("series of " + process)
          .isLessThanOrEqualTo(MOST_SERIES);
    }
  }

  /** A change is counted a little after the status says how it ended. */
  private static void awaitPositive(String process, String series) {
    await(series)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(value(process, series)).isPositive());
  }

  private static double value(String process, String series) throws IOException {
    return Engine.metrics(Engine.variable(process))
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .sum();
  }
}
