package io.middleware.engine.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class UniformTagsFilterTest {

  @Test
  void shouldGiveAllEventsTheSameTags() {
    // Given
    var registry = new SimpleMeterRegistry();
    var filtered = UniformTagsFilter.before(registry);

    // When
    filtered.counter("events.received", "event", "ResourceEvent", "action", "ADDED").increment();
    filtered.counter("other", "action", "x").increment();

    // Then
    assertThat(registry.get("events.received").counter().getId().getTags())
        .singleElement()
        .extracting("key")
        .isEqualTo("event");
    assertThat(registry.get("other").counter().getId().getTags()).hasSize(1);
  }
}
