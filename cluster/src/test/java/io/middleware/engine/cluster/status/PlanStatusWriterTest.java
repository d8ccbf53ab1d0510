package io.middleware.engine.cluster.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.api.change.PlanStatus;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanStatusWriterTest {
  private static final ChangeRef CHANGE = new ChangeRef("shop", "cache", "uid", 7, "run-1");
  private static final PlanStatus PLAN = plan("abc");

  @Test
  void shouldShowThePlanOfTheRunThatHasTheClaim() {
    assertThat(PlanStatusWriter.shown(claimedBy("run-1", null), CHANGE, PLAN))
        .hasValueSatisfying(status -> assertThat(status.plan()).isEqualTo(PLAN))
        .hasValueSatisfying(status -> assertThat(status.change()).isNull());
  }

  @Test
  void shouldShowNothingOnAnAppThatIsNotOurs() {
    assertThat(PlanStatusWriter.shown(claimedBy("run-2", null), CHANGE, PLAN)).isEmpty();
    assertThat(PlanStatusWriter.shown(new App(), CHANGE, PLAN)).isEmpty();
  }

  @Test
  void shouldTakeAwayOnlyThePlanThatWasSeen() {
    assertThat(PlanStatusWriter.cleared(claimedBy("run-1", PLAN), PLAN))
        .hasValueSatisfying(status -> assertThat(status.plan()).isNull());
    assertThat(PlanStatusWriter.cleared(claimedBy("run-2", plan("def")), PLAN)).isEmpty();
    assertThat(PlanStatusWriter.cleared(claimedBy("run-1", null), PLAN)).isEmpty();
  }

  private static PlanStatus plan(String hash) {
    return new PlanStatus(7L, hash, List.of(), List.of(), List.of(), null);
  }

  private static App claimedBy(String runId, PlanStatus plan) {
    var app = new App();
    var lock =
        ChangeStatusBuilder.builder()
            .generation(7L)
            .workflowId("app/shop/cache")
            .runId(runId)
            .build();
    app.setStatus(
        AppStatusBuilder.builder()
            .observedGeneration(7L)
            .acceptedGeneration(7L)
            .change(lock)
            .plan(plan)
            .build());
    return app;
  }
}
