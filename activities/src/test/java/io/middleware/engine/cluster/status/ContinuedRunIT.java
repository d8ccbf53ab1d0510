package io.middleware.engine.cluster.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A run that passes its change on to the next one, because its history is long. */
@ExtendWith(ApiServer.class)
class ContinuedRunIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;

  ContinuedRunIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @Test
  void shouldGoOnWithTheSameChange() {
    // Given
    var app = cluster.createApp();
    engine.begin(app);
    var before = cluster.now(app).getStatus().change();
    engine.openRun = "run-2";
    // When
    var acquired =
        engine.lock.acquire(cluster.change(app, "run-2"), Optional.of("run-1")).orElseThrow();
    // Then
    var change = cluster.now(app).getStatus().change();
    assertThat(acquired.terminated()).isEmpty();
    assertThat(cluster.events()).isEmpty();
    assertThat(change.runId()).isEqualTo("run-2");
    assertThat(change.startedAt()).isEqualTo(before.startedAt());
  }
}
