package io.middleware.engine.watcher.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.process.servers.OnTemporal;
import io.middleware.engine.watcher.change.RunsOnTemporal;
import io.temporal.client.WorkflowFailedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A look that no worker takes up: it stays open until the test ends it. */
@ExtendWith(OnTemporal.class)
class TemporalSecretReaderIT {
  private static final String RUN = "secrets/middleware-system";

  private final RunsOnTemporal temporal;
  private final TemporalSecretReader reader;

  TemporalSecretReaderIT(LocalTemporal server) {
    this.temporal = new RunsOnTemporal(server);
    this.reader = new TemporalSecretReader(temporal.calls, temporal.cluster, "middleware-system");
  }

  @Test
  void shouldNotTakeAFailedLookForAnUnreachableTemporal() {
    // Given
    var look = CompletableFuture.supplyAsync(() -> reader.read(List.of()));
    await().until(() -> temporal.isOpen(RUN));
    // When
    temporal.end(RUN);
    // Then
    assertThat(look)
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .withCauseInstanceOf(WorkflowFailedException.class);
  }

  @Test
  void shouldReadNothingWhileAnotherLookIsOpen() {
    // Given
    var look = CompletableFuture.supplyAsync(() -> reader.read(List.of()));
    await().until(() -> temporal.isOpen(RUN));
    // Then
    assertThat(reader.read(List.of())).isEmpty();
    assertThat(look).isNotDone();
    // and
    temporal.end(RUN);
  }
}
