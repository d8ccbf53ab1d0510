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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://s3.example.com",
        "http://10.0.0.7:9000/",
        "http://[fd00::1]:9000",
        "http://minio"
      })
  void shouldKnowServices(String text) {
    assertThat(SchemaPatterns.isFollowed(SchemaPatterns.SERVICE_URL, text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://key:secret@s3.example.com",
        "https://s3.example.com?x=1",
        "https://s3.example.com#x",
        "https://s3.example.com/bank",
        "https://s3.example.com\nprefix",
        "https://",
        "ftp://s3.example.com"
      })
  void shouldTellOtherAddressesFromServices(String text) {
    assertThat(SchemaPatterns.isFollowed(SchemaPatterns.SERVICE_URL, text)).isFalse();
  }

  @Test
  void shouldAllowNoAddressThatMeansMore() {
    assertThat(HostileTexts.of("https://s3.example.com:9000", 300))
        .noneMatch(
            text ->
                SchemaPatterns.isFollowed(SchemaPatterns.SERVICE_URL, text)
                    && !text.matches("https?://[A-Za-z0-9.-]+(:[0-9]+)?/?"));
    assertThat(HostileTexts.of("https://hooks.example.com/a?b=c", 300))
        .noneMatch(
            text ->
                SchemaPatterns.isFollowed(SchemaPatterns.HTTP_URL, text)
                    && text.chars().anyMatch(it -> it <= ' ' || it == 127));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a..b", ".a", "a.", "a.-b", "a/b", "a\n", "A"})
  void shouldTellOtherTextsFromBuckets(String text) {
    assertThat(SchemaPatterns.isFollowed(SchemaPatterns.BUCKET, text)).isFalse();
  }

  @Test
  void shouldNotOverlookALineBreakAtTheEnd() {
    assertThat(SchemaPatterns.isFollowed(SchemaPatterns.API_VERSION, "v1\n")).isFalse();
    assertThat(SchemaPatterns.isFollowed(SchemaPatterns.DNS_LABEL, "a\n")).isFalse();
  }
}
