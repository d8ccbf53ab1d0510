package io.middleware.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MetricsReferenceTest {
  private static final Path PAGE = Path.of("../docs/reference/metrics.md");

  @Test
  void shouldBeUpToDate() throws IOException {
    // Given
    var page = MetricsReference.page();
    if (System.getProperty("regenerate") != null) {
      Files.writeString(PAGE, page);
    }
    // When Then
    assertThat(Files.readString(PAGE))
        .as("docs/reference/metrics.md is stale: run mvn -pl process test -Dregenerate")
        .isEqualTo(page);
  }

  @ParameterizedTest
  @EnumSource(EngineMetric.class)
  void shouldBeScrapedUnderItsNameWithItsText(EngineMetric metric) {
    try (var metrics = new ProcessMetrics()) {
      // When
      var values = metric.tags().stream().map(tag -> "any").toArray(String[]::new);
      switch (metric.type()) {
        case COUNTER -> metric.counter(metrics.registry(), values).increment();
        case GAUGE -> metric.gauge(metrics.registry(), this, it -> 1, values);
        case TIMER -> metric.timer(metrics.registry(), values).record(Duration.ofSeconds(1));
      }
      // Then
      assertThat(metrics.registry().scrape())
          .contains(
              "# HELP %s %s\n".formatted(MetricsReference.names(metric).getFirst(), metric.help()));
      assertThat(metric.buckets().isEmpty()).isEqualTo(metric.type() != EngineMetric.Type.TIMER);
    }
  }

  @Test
  void shouldRefuseValuesForOtherTags() {
    assertThatThrownBy(() -> EngineMetric.TASKS.counter(new SimpleMeterRegistry(), "Storage"))
        .hasMessage("metric middleware.tasks has the tags [type, outcome], but got 1 values");
  }

  @Test
  void shouldNotTellTimersApartByTheWorkflow() {
    try (var metrics = new ProcessMetrics()) {
      // When
      for (var workflow : List.of("AppChangeWorkflow", "GroupChangeWorkflow")) {
        for (var activity : List.of("Plan", "ApplyGroup")) {
          for (var timer :
              List.of("temporal_request_latency", "temporal_activity_execution_latency")) {
            Timer.builder(timer)
                .tag("workflow_type", workflow)
                .tag("activity_type", activity)
                .register(metrics.registry())
                .record(Duration.ofMillis(20));
          }
        }
      }
      // Then
      assertThat(metrics.registry().scrape())
          .contains("temporal_request_latency_seconds_count 4\n")
          .contains(
              "temporal_activity_execution_latency_seconds_count{activity_type=\"Plan\"} 2\n");
    }
  }

  @Test
  void shouldGiveTimersOfTheTemporalSdkFewSeries() {
    try (var metrics = new ProcessMetrics()) {
      // When
      Timer.builder("temporal_request_latency")
          .publishPercentileHistogram()
          .register(metrics.registry())
          .record(Duration.ofMillis(20));
      // Then
      assertThat(metrics.registry().scrape())
          .containsOnlyOnce("temporal_request_latency_seconds_bucket{le=\"0.05\"} 1\n")
          .contains("# HELP temporal_request_latency_seconds Of the Temporal SDK");
      assertThat(metrics.registry().scrape().lines().filter(line -> line.contains("_bucket")))
          .hasSize(7);
    }
  }
}
