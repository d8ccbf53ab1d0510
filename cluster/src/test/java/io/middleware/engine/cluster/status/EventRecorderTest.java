package io.middleware.engine.cluster.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.middleware.engine.cluster.status.EngineEvent.Kind;
import io.middleware.engine.render.sensitive.SensitiveValues;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
  private final EventRecorder recorder =
      new EventRecorder(
          null,
          "worker-1",
          Clock.fixed(Instant.parse("2026-11-21T10:00:00.1Z"), ZoneOffset.UTC),
          new SensitiveValues());

  @Test
  void shouldMakeWhatTheApiServerTakes() {
    // When
    var event = recorder.event(Progress.app(null), event("run-7/x", "→".repeat(2000)));
    // Then
    assertThat(event.getEventTime().getTime()).isEqualTo("2026-11-21T10:00:00.100000Z");
    assertThat(event.getNote().getBytes(UTF_8)).hasSizeBetween(1000, 1024);
    assertThat(event.getMetadata().getNamespace()).isEqualTo("shop");
    assertThat(event.getRegarding().getKind()).isEqualTo("App");
    assertThat(event.getRegarding().getUid()).isEqualTo("app-uid");
    assertThat(event.getAction()).isNotEmpty();
    assertThat(event.getReportingInstance()).isEqualTo("worker-1");
  }

  @Test
  void shouldNameTheSameEventTheSame() {
    // When
    var one = recorder.event(Progress.app(null), event("run-7/x", "once"));
    var again = recorder.event(Progress.app(null), event("run-7/x", "twice"));
    var other = recorder.event(Progress.app(null), event("run-7/y", "once"));
    // Then
    assertThat(again.getMetadata().getName()).isEqualTo(one.getMetadata().getName());
    assertThat(other.getMetadata().getName()).isNotEqualTo(one.getMetadata().getName());
    assertThat(one.getMetadata().getName()).matches("cache\\.[0-9a-f]{16}");
  }

  /** A Backup or a test may have a long name. */
  @Test
  void shouldGiveAnEventOfALongNameAName() {
    var app = Progress.app(null);
    app.getMetadata().setName("a".repeat(199) + "-" + "b".repeat(40));

    assertThat(recorder.event(app, event("run-7/x", "once")).getMetadata().getName())
        .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  }

  @Test
  void shouldNotFailWithoutAClient() {
    assertThatCode(() -> recorder.record(Progress.app(null), event("run-7/x", "once")))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldNotFailForAnAppThatWasNeverCreated() {
    var app = Progress.app(null);
    app.getMetadata().setUid(null);
    assertThatCode(() -> recorder.record(app, event("run-7/x", "once"))).doesNotThrowAnyException();
  }

  private static EngineEvent event(String key, String note) {
    return new EngineEvent(key, Kind.NORMAL, "TaskDone", "Change", note);
  }
}
