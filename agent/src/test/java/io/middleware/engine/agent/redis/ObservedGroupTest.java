package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.ReplicationState.Link;
import io.middleware.engine.agent.redis.ReplicationState.Names;
import io.middleware.engine.agent.replication.History;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObservedGroupTest {
  private static final Address A = new Address("10.0.0.1", 6379);
  private static final Address B = new Address("10.0.0.2", 6379);
  private static final Address C = new Address("10.0.0.3", 6379);
  private static final Address GONE = new Address("10.0.0.9", 6379);
  private static final ReplicationState PRIMARY = state(true, Address.NONE);

  @Test
  void shouldReturnThePrimaryWhenTheMonitoredPodReportsThatItIsNotPrimary() {
    // When
    var seen = seen(Map.of(A, following(B), B, PRIMARY, C, following(B)));
    // Then
    assertThat(seen.primary()).contains(B);
    assertThat(seen.correctedPrimary(A)).contains(B);
    assertThat(seen.correctedPrimary(GONE)).contains(B);
    assertThat(seen.correctedPrimary(B)).isEmpty();
  }

  @Test
  void shouldReturnThePrimaryWhenTheMonitoredPodNoLongerExists() {
    // When
    var seen = seen(Map.of(B, PRIMARY, C, following(B)));
    // Then
    assertThat(seen.correctedPrimary(A)).contains(B);
    assertThat(seen.isComplete()).isFalse();
  }

  @Test
  void shouldReturnNothingWhenTheMonitoredPodIsSilentAndOnlyOneAnswers() {
    // When
    var seen = seen(Map.of(B, PRIMARY));
    // Then
    assertThat(seen.correctedPrimary(A)).isEmpty();
    assertThat(seen.correctedPrimary(GONE)).contains(B);
  }

  @Test
  void shouldReturnNothingWithoutAgreement() {
    assertThat(seen(Map.of(A, PRIMARY, B, PRIMARY, C, following(B))).primary()).isEmpty();
    assertThat(seen(Map.of(A, following(C), B, PRIMARY)).primary()).isEmpty();
    assertThat(seen(Map.of(A, following(B), C, following(B))).primary()).isEmpty();
    assertThat(seen(Map.of()).correctedPrimary(GONE)).isEmpty();
  }

  private static ObservedGroup seen(Map<Address, ReplicationState> answers) {
    return new ObservedGroup(Set.of(A, B, C), answers, Set.of());
  }

  private static ReplicationState following(Address primary) {
    return state(false, primary);
  }

  private static ReplicationState state(boolean primary, Address master) {
    return new ReplicationState(
        primary,
        master,
        Link.UP,
        new History("", "", 7, false),
        false,
        false,
        List.of(),
        Names.NONE);
  }
}
