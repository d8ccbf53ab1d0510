package io.middleware.engine.cluster.runlock;

import static io.middleware.engine.api.task.TaskPhase.IN_PROGRESS;
import static io.middleware.engine.cluster.status.Progress.LATER;
import static io.middleware.engine.cluster.status.Progress.START;
import static io.middleware.engine.cluster.status.Progress.app;
import static io.middleware.engine.cluster.status.Progress.fresh;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.cluster.status.AppStatusFactory;
import io.middleware.engine.workflows.port.ChangeRef;
import org.junit.jupiter.api.Test;

class TerminatedRunsTest {

  @Test
  void shouldEndTheRunThatWasTerminatedAndKeepItsTasks() {
    // Given
    var interrupted = app(fresh().move(0, IN_PROGRESS, START).status(app(null)));
    var next = new ChangeRef("shop", "cache", "app-uid", 7, "run-8");
    // When
    var status = AppStatusFactory.terminated(interrupted, next, LATER);
    // Then
    assertThat(status.change().outcome()).isEqualTo("Terminated");
    assertThat(status.change().runId()).isEqualTo("run-7");
    assertThat(status.change().message())
        .isEqualTo(
            "run run-7 of generation 7 was terminated or reset before it ended; run run-8 continues"
                + " from there");
    assertThat(status.tasks()).isEqualTo(interrupted.getStatus().tasks());
    assertThat(status.observedGeneration()).isEqualTo(interrupted.getStatus().observedGeneration());
  }
}
