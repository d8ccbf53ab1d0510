package io.middleware.engine.watcher.control;

import static io.middleware.engine.watcher.Objects.app;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Labels;
import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveAppsTest {

  @Test
  void shouldRemoveOnlyWhatWasRead() {
    // Given
    var app = app(7);
    app.getMetadata().setAnnotations(Map.of(Labels.CANCEL_CONTROL, "{\"a\": \"ü\"}"));

    // When
    var patch = LiveApps.removal(app, Labels.CANCEL_CONTROL);

    // Then
    var path = "/metadata/annotations/middleware.io~1cancel-control";
    assertThat(patch)
        .isEqualTo(
            """
            [{"op":"test","path":"/metadata/uid","value":"uid-cache"},\
            {"op":"test","path":"%1$s","value":"{\\"a\\": \\"ü\\"}"},\
            {"op":"remove","path":"%1$s"}]"""
                .formatted(path));
  }

  @Test
  void shouldMakeAnEventThatTheApiServerTakes() {
    // Given
    var events = new ControlEvents("watcher-1", new FakeClock());

    // When
    var event =
        events.event(
            app(7),
            "Control",
            new ControlOutcome("0a1b", true, "ControlRefused", "→".repeat(2000)));

    // Then
    assertThat(event.getMetadata().getName()).isEqualTo("cache.0a1b");
    assertThat(event.getMetadata().getNamespace()).isEqualTo("shop");
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getNote().getBytes(UTF_8)).hasSizeBetween(1000, 1024);
    assertThat(event.getRegarding().getUid()).isEqualTo("uid-cache");
    assertThat(event.getEventTime().getTime()).isNotEmpty();
    assertThat(event.getDeprecatedFirstTimestamp()).isNull();
    assertThat(event.getAction()).isNotEmpty();
  }

  @Test
  void shouldLetNoControlCharactersIntoAnAnswer() {
    // Given
    var app = app(7);
    var note = "no task '\u001b[31mx\u202e' in\r\ngeneration 7";
    // When
    var event =
        new ControlEvents("watcher-1", new FakeClock())
            .event(app, "Control", new ControlOutcome("id", true, "RequestRefused", note));
    // Then
    assertThat(event.getNote()).isEqualTo("no task ' [31mx ' in generation 7");
  }
}
