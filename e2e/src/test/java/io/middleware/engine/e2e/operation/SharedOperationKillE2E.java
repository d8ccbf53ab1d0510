package io.middleware.engine.e2e.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.LocksApp;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An action that is not exclusive, whose worker or run is lost. */
@EndToEnd
@Disruptive("kills the worker")
@InTurn(0)
class SharedOperationKillE2E {
  private final Temporal temporal;
  private final LocksApp locks;

  SharedOperationKillE2E(Shop shop, Temporal temporal) {
    this.temporal = temporal;
    this.locks = new LocksApp(shop);
  }

  @BeforeEach
  void deploy() {
    locks.deploy();
  }

  @Test
  void shouldGoOnWhenTheWorkerDiesOrItsRunIsTerminated() {
    // Given
    locks.faulty("action-slow");
    var first = locks.report("report-1").apply();
    LocksApp.awaitRunning(first);
    // When
    Engine.kill("worker");
    // Then
    first.ends("Succeeded");
    // and another one
    var second = locks.report("report-2").apply();
    LocksApp.awaitRunning(second);
    // within the 10 s of the action, so without a program that has to start
    temporal.client.newUntypedWorkflowStub(locks.workflow("report-2")).terminate("end-to-end test");
    second.ends("Succeeded");
    assertThat(temporal.list("WorkflowId = '%s'".formatted(locks.workflow("report-2")))).hasSize(2);
  }
}
