package io.middleware.engine.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ChangeStatus;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.List;
import org.junit.jupiter.api.Test;

class ActionBoardTest {
  private static final ChangeRef CHANGE = new ChangeRef("shop", "cache", "uid", 7, "run-1");
  private static final String WORDS = "pod db-0: hand over: replicas catch up (40 %)";

  @Test
  void shouldShowWordsBesideWhatTheStatusSays() {
    var app = running("run-1", null);
    assertThat(ActionBoard.showing(app, CHANGE, WORDS))
        .hasValueSatisfying(
            status -> {
              assertThat(status.change()).isEqualTo(running("run-1", WORDS).getStatus().change());
              assertThat(status.acceptedGeneration()).isEqualTo(7);
            });
  }

  @Test
  void shouldShowNothingForAChangeThatIsNotOursOrHasEnded() {
    assertThat(ActionBoard.showing(new App(), CHANGE, WORDS)).isEmpty();
    assertThat(ActionBoard.showing(running("run-2", null), CHANGE, WORDS)).isEmpty();
    assertThat(ActionBoard.showing(app("run-1", "Cancelled", null), CHANGE, WORDS)).isEmpty();
  }

  @Test
  void shouldTakeAwayOnlyItsOwnWords() {
    assertThat(ActionBoard.hiding(running("run-1", WORDS), CHANGE, WORDS))
        .hasValueSatisfying(status -> assertThat(status.change().progress()).isNull());
    assertThat(ActionBoard.hiding(running("run-1", "pod db-1: drain"), CHANGE, WORDS)).isEmpty();
  }

  private static App running(String runId, String progress) {
    return app(runId, null, progress);
  }

  private static App app(String runId, String outcome, String progress) {
    var app = new App();
    var change =
        new ChangeStatus(
            7L,
            "app/shop/cache",
            runId,
            "2026-11-21T10:00:00Z",
            null,
            outcome,
            null,
            "7-config-db",
            List.of("cancelTasks: accepted"),
            progress);
    app.setStatus(new AppStatus(6L, 7L, null, null, change, null, null, null, null, null));
    return app;
  }
}
