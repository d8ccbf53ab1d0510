package io.middleware.engine.api.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimestampTest {

  @Test
  void shouldWriteWholeSeconds() {
    assertThat(Timestamp.of(Instant.parse("2026-11-27T03:00:00.987654321Z")))
        .isEqualTo("2026-11-27T03:00:00Z");
  }
}
