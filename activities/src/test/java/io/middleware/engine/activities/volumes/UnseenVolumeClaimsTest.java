package io.middleware.engine.activities.volumes;

import static io.middleware.engine.cluster.SampleObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnseenVolumeClaimsTest {
  private final Set<String> live = new HashSet<>(Set.of("data-db-0", "data-db-1"));

  @Test
  void shouldReportWhatTheViewHasNotShown() {
    // Given
    var unseen = new UnseenVolumeClaims(() -> live);
    // Then
    assertThat(unseen.notIn(List.of(volume("data-db-0", "1Gi")))).containsExactly("data-db-1");
    assertThat(unseen.notIn(List.of(volume("data-db-1", "1Gi")))).isEmpty();
  }

  @Test
  void shouldNotReportDeletedVolumeClaims() {
    // Given
    var unseen = new UnseenVolumeClaims(() -> live);
    // When
    live.remove("data-db-1");
    // Then
    assertThat(unseen.notIn(List.of(volume("data-db-0", "1Gi")))).isEmpty();
  }
}
