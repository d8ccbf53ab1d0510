package io.middleware.engine.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class AppTest {

  @Test
  void shouldBePausedOnlyWhenItsSpecSaysSo() {
    assertThat(app("spec: {paused: true}").isPaused()).isTrue();
    assertThat(app("spec: {paused: false}").isPaused()).isFalse();
    assertThat(app("spec: {}").isPaused()).isFalse();
    assertThat(app("kind: App").isPaused()).isFalse();
  }

  @Test
  void shouldNotBePausedWhileItIsDeleted() {
    // Given
    var app = app("spec: {paused: true}");
    // When
    app.getMetadata().setDeletionTimestamp("2026-11-20T10:00:00Z");
    // Then
    assertThat(app.isPaused()).isFalse();
  }

  private static App app(String yaml) {
    return Serialization.unmarshal(yaml, App.class);
  }
}
