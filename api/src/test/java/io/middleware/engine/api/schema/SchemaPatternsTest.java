package io.middleware.engine.api.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaPatternsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"v1", "apps/v1", "middleware.io/v1", "test.middleware.io/v1alpha1", "x-y.io/v2"})
  void shouldKnowApiVersions(String text) {
    assertThat(SchemaPatterns.isFollowed(SchemaPatterns.API_VERSION, text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "v2",
        "V1",
        "apps",
        "apps/",
        "/v1",
        "apps/v1/x",
        "apps//v1",
        "Apps/v1",
        "-a/v1"
      })
  void shouldTellOtherTextsFromApiVersions(String text) {
    assertThat(SchemaPatterns.isFollowed(SchemaPatterns.API_VERSION, text)).isFalse();
  }

  @Test
  void shouldAllowNothingThatMeansMoreInAPath() {
    assertThat(HostileTexts.of("apps/v1", 200))
        .noneMatch(
            text ->
                SchemaPatterns.isFollowed(SchemaPatterns.API_VERSION, text)
                    && !text.matches("[a-z0-9./-]+/[a-z0-9-]+"));
    assertThat(HostileTexts.of("v1", 200))
        .noneMatch(
            text ->
                SchemaPatterns.isFollowed(SchemaPatterns.API_VERSION, text)
                    && !text.matches("[a-z0-9.-]+/[a-z0-9-]+"));
  }

  @Test
  void shouldAllowNothingThatMeansMoreInASelector() {
    assertThat(HostileTexts.of("gold", 200))
        .noneMatch(
            text ->
                SchemaPatterns.isFollowed(SchemaPatterns.LABEL_VALUE, text)
                    && !text.matches("[A-Za-z0-9._-]+"));
    assertThat(HostileTexts.of("shop.io/tier", 200))
        .noneMatch(
            text ->
                SchemaPatterns.isFollowed(SchemaPatterns.LABEL_NAME, text)
                    && !text.matches("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)?"));
  }

  @Test
  void shouldNotOverlookALineBreakAtTheEnd() {
    assertThat(SchemaPatterns.isFollowed(SchemaPatterns.API_VERSION, "v1\n")).isFalse();
    assertThat(SchemaPatterns.isFollowed(SchemaPatterns.DNS_LABEL, "a\n")).isFalse();
  }
}
