package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnknownInstancesTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Address ONE = new Address("10.0.0.1", 6379);
  private static final Address TWO = new Address("10.0.0.2", 6379);

  private final UnknownInstances unknown = new UnknownInstances("db");

  @Test
  void shouldBeDueAfterTheFirstDelay() {
    assertThat(dueAfter(0, ONE)).isFalse();
    assertThat(dueAfter(4, ONE, TWO)).isFalse();
    assertThat(dueAfter(6, ONE, TWO)).isTrue();
  }

  @Test
  void shouldStartAgainForAnAddressThatWasGone() {
    assertThat(dueAfter(0, ONE)).isFalse();
    assertThat(dueAfter(4)).isFalse();
    assertThat(dueAfter(6, ONE)).isFalse();
    assertThat(dueAfter(12, ONE)).isTrue();
  }

  @Test
  void shouldResetTheSameAddressAtMostOnceAMinute() {
    // Given
    unknown.resetDone(Set.of(ONE), START);
    // Then, although it was gone for a while
    assertThat(dueAfter(1)).isFalse();
    assertThat(dueAfter(59, ONE)).isFalse();
    assertThat(dueAfter(61, ONE)).isTrue();
  }

  @Test
  void shouldResetANewAddressSoonAfterAnother() {
    // Given
    unknown.resetDone(Set.of(ONE), START);
    // Then
    assertThat(dueAfter(1, ONE, TWO)).isFalse();
    assertThat(dueAfter(7, ONE, TWO)).isTrue();
  }

  @Test
  void shouldResetAStrangerAtOnceButNotAgainAndAgain() {
    // Given
    var strangers = Set.of(ONE);
    assertThat(unknown.areNew(Set.of(), START)).isFalse();
    assertThat(unknown.areNew(strangers, START)).isTrue();
    // When
    unknown.resetDone(strangers, START);
    // Then
    assertThat(unknown.areNew(strangers, START.plusSeconds(1))).isFalse();
    assertThat(unknown.areNew(strangers, START.plusSeconds(61))).isTrue();
  }

  private boolean dueAfter(int seconds, Address... known) {
    return unknown.isResetDue(Set.of(known), START.plusSeconds(seconds));
  }
}
