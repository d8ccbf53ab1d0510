package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedactionTest {
  private static final String APP = "uid-1";
  private static final String SECRET = "canary-in-a-failure";

  private final SensitiveValues secrets = new SensitiveValues();

  @BeforeEach
  void remember() {
    var sensitive = new SensitiveParameters(Set.of("licence"));
    secrets.remember(APP, sensitive, Map.of("licence", SECRET));
  }

  @Test
  void shouldKeepAllOfAFailureButTheValue() {
    // Given
    var failure =
        ApplicationFailure.newBuilder()
            .setMessage("apply ConfigMap: Invalid value: " + SECRET)
            .setType("Invalid")
            .setNonRetryable(true)
            .setNextRetryDelay(Duration.ofSeconds(3))
            .setCause(new IllegalStateException(SECRET))
            .build();
    // When
    var redacted = (ApplicationFailure) Redaction.redacted(failure, secrets, APP);
    // Then
    assertThat(redacted.getOriginalMessage())
        .isEqualTo("apply ConfigMap: Invalid value: (not shown)");
    assertThat(redacted.getType()).isEqualTo("Invalid");
    assertThat(redacted.isNonRetryable()).isTrue();
    assertThat(redacted.getNextRetryDelay()).isEqualTo(Duration.ofSeconds(3));
    assertThat(redacted).hasNoCause();
  }

  @Test
  void shouldNameTheTypeOfAnyOtherFailure() {
    // Given
    var failure = new IllegalArgumentException(new IllegalStateException(SECRET));
    // When
    var redacted = (ApplicationFailure) Redaction.redacted(failure, secrets, APP);
    // Then
    assertThat(redacted.getOriginalMessage()).endsWith("(not shown)");
    assertThat(redacted.getType()).isEqualTo(IllegalArgumentException.class.getName());
  }

  @Test
  void shouldLeaveAFailureAloneThatShowsNoSecret() {
    // Given
    var failure = new IllegalStateException("no secret", new IllegalStateException());
    // When Then
    assertThat(Redaction.redacted(failure, secrets, APP)).isSameAs(failure);
  }
}
