package io.middleware.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterHistoryTest {
  private final ArrayDeque<String> versions = new ArrayDeque<>();
  private final ClusterHistory history =
      new ClusterHistory(
          () -> {
            var next = versions.pop();
            if (next.startsWith("no answer")) {
              throw new KubernetesClientException(next);
            }
            return next;
          });

  @Test
  void shouldBeSilentAsLongAsTheVersionGrowsOrStays() {
    for (var version : List.of("7", "7", "10", "9223372036854775807")) {
      versions.add(version);
      assertThat(history.look()).isEmpty();
    }
  }

  @Test
  void shouldSayThatTheVersionWentBack() {
    // Given
    versions.addAll(List.of("120", "no answer: connection refused", "95"));
    history.look();
    history.look();
    // Then
    assertThat(history.look())
        .contains(
            "the cluster's resource version went back from 120 to 95, as after a restore of etcd");
  }

  /** As of an API server that stores its objects elsewhere than in etcd. */
  @Test
  void shouldNotCompareWhatIsNoNumber() {
    versions.addAll(List.of("120", "abc", "130"));
    for (var look = 0; look < 3; look++) {
      assertThat(history.look()).isEmpty();
    }
  }
}
