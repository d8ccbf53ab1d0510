package io.middleware.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

class JsonLinesTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Test
  void shouldWriteTimeLevelLoggerMessageAndKeyValues() throws IOException {
    // Given
    var event = event("task {} done", null, "12-config-a");
    event.addKeyValuePair(new KeyValuePair("attempts", 2));
    event.addKeyValuePair(new KeyValuePair("reason", "a \"quoted\"\nline"));
    // When
    String line = line(event);
    // Then
    assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
    assertThat(MAPPER.readTree(line))
        .isEqualTo(
            MAPPER.readTree(
                """
                {"time": "2026-01-01T00:00:00Z", "level": "INFO", "logger": "x.Y",
                 "message": "task 12-config-a done", "thread": "main", "attempts": 2, "reason": "a \\"quoted\\"\\nline"}
                """));
  }

  @Test
  void shouldSayWhichAppAndTaskAWorkflowOfTemporalBelongsTo() throws IOException {
    // Given
    var event = event("replacing", null);
    event.setMDCPropertyMap(
        Map.of(
            "WorkflowId", "app/shop/cache/12/12-config-redis-nodes/shard-0",
            "Namespace", "middleware",
            "RunId", "r1",
            "Attempt", "1"));
    // When
    JsonNode line = MAPPER.readTree(line(event));
    // Then
    assertThat(line.path("namespace").asText()).isEqualTo("shop");
    assertThat(line.path("app").asText()).isEqualTo("cache");
    assertThat(line.path("generation").isIntegralNumber()).isTrue();
    assertThat(line.path("generation").asInt()).isEqualTo(12);
    assertThat(line.path("task").asText()).isEqualTo("12-config-redis-nodes");
    assertThat(line.path("group").asText()).isEqualTo("shard-0");
    assertThat(line.path("workflowId").asText()).startsWith("app/shop/cache/12/");
    assertThat(line.path("temporalNamespace").asText()).isEqualTo("middleware");
    assertThat(line.path("runId").asText()).isEqualTo("r1");
    assertThat(line.path("attempt").isIntegralNumber()).isTrue();
  }

  @Test
  void shouldSayWhichAppTheOperatorSdkReconcilesUnlessTheCodeSaysItself() throws IOException {
    // Given
    var event = event("signalled", null);
    event.setMDCPropertyMap(
        Map.of(
            "resource.name", "cache",
            "resource.namespace", "shop",
            "resource.generation", "3",
            "resource.kind", "App"));
    event.addKeyValuePair(new KeyValuePair("generation", 4L));
    // When
    JsonNode line = MAPPER.readTree(line(event));
    // Then
    assertThat(line.path("app").asText()).isEqualTo("cache");
    assertThat(line.path("namespace").asText()).isEqualTo("shop");
    assertThat(line.path("generation").asLong()).isEqualTo(4);
    assertThat(line.path("resource.kind").asText()).isEqualTo("App");
  }

  @Test
  void shouldSayInWhichPodAProcessIsThatBelongsToOne() throws IOException {
    // Given
    var pod = new LoggerContext();
    pod.putProperty("pod", "cache-0");
    pod.putProperty("namespace", "");
    var event = new LoggingEvent("x", pod.getLogger("x.Y"), Level.INFO, "started", null, null);
    event.setMDCPropertyMap(Map.of());
    // When
    JsonNode line = MAPPER.readTree(line(event));
    // Then
    assertThat(line.path("pod").asText()).isEqualTo("cache-0");
    assertThat(line.has("namespace")).isFalse();
  }

  @Test
  void shouldKeepExceptionsShort() throws IOException {
    // Given
    var cause = new IllegalStateException("deep");
    var event = event("failed", new IOException("outer", cause));
    // When
    JsonNode line = MAPPER.readTree(line(event));
    // Then
    assertThat(line.path("error").asText()).isEqualTo("java.io.IOException: outer");
    assertThat(line.path("stack").asText().lines())
        .hasSizeLessThan(30)
        .contains("caused by java.lang.IllegalStateException: deep")
        .anyMatch(frame -> frame.matches("  … \\d+ more"));
  }

  private static LoggingEvent event(String message, Throwable error, Object... arguments) {
    var logger = (Logger) LoggerFactory.getLogger("x.Y");
    var event = new LoggingEvent("x", logger, Level.INFO, message, error, arguments);
    event.setThreadName("main");
    event.setInstant(Instant.parse("2026-01-01T00:00:00Z"));
    return event;
  }

  private static String line(LoggingEvent event) {
    return new String(new JsonLines().encode(event), StandardCharsets.UTF_8);
  }
}
