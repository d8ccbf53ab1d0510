package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RefusalDoubtTest {
  private static final String REFUSAL = "User \"engine\" cannot patch resource \"apps/status\"";

  private long now = Duration.ofDays(300).toNanos();
  private final RefusalDoubt doubt = new RefusalDoubt(() -> now);

  @Test
  void shouldBelieveARefusalThatIsRepeatedForHalfAMinute() {
    assertThat(doubt.isDoubted(REFUSAL)).isTrue();
    after(Duration.ofSeconds(29));
    assertThat(doubt.isDoubted(REFUSAL)).isTrue();
    after(Duration.ofSeconds(1));
    assertThat(doubt.isDoubted(REFUSAL)).isFalse();
    after(Duration.ofSeconds(60));
    assertThat(doubt.isDoubted(REFUSAL)).isFalse();
  }

  @Test
  void shouldDoubtEachRefusalByItself() {
    doubt.isDoubted(REFUSAL);
    after(Duration.ofSeconds(31));
    assertThat(doubt.isDoubted("User \"engine\" cannot list resource \"pods\"")).isTrue();
    assertThat(doubt.isDoubted(REFUSAL)).isFalse();
  }

  @Test
  void shouldDoubtAgainAfterTheApiServerWasAway() {
    doubt.isDoubted(REFUSAL);
    after(Duration.ofSeconds(31));
    doubt.unanswered();
    assertThat(doubt.isDoubted(REFUSAL)).isTrue();
  }

  @Test
  void shouldDoubtAgainWhatWasNotMetForLong() {
    doubt.isDoubted(REFUSAL);
    after(Duration.ofSeconds(76));
    assertThat(doubt.isDoubted(REFUSAL)).isTrue();
  }

  private void after(Duration pause) {
    now += pause.toNanos();
  }
}
