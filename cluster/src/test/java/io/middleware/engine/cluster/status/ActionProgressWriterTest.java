package io.middleware.engine.cluster.status;

import static java.util.Collections.synchronizedList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ActionProgressWriterTest {
  private static final ChangeRef CHANGE = new ChangeRef("shop", "cache", "uid", 7, "run-1");
  private static final String MESSAGE = "pod db-0: switch over: replicas catch up (40 %)";

  private final List<String> shown = synchronizedList(new ArrayList<>());
  private Instant now = Instant.parse("2026-11-21T10:00:00Z");
  private volatile App app = app("run-1", null, null);
  private volatile boolean broken;

  @Test
  void shouldShowWhatTakesLongUntilItIsDone() {
    // Given
    var action = board().open(CHANGE);
    // When
    action.report("pod db-0: asked to switch over");
    later(action, MESSAGE);
    action.done();
    // Then
    awaitShown(MESSAGE, "nothing");
    assertThat(app.getStatus()).isEqualTo(app("run-1", null, null).getStatus());
  }

  @Test
  void shouldNotShowWhatIsQuick() {
    // Given
    var action = board().open(CHANGE);
    // When
    action.report(MESSAGE);
    action.done();
    // Then
    assertThat(shown).isEmpty();
  }

  @Test
  void shouldShowTheSameWordsAgainAfterOthersHaveWrittenOverThem() {
    // Given
    var action = board().open(CHANGE);
    later(action, MESSAGE);
    awaitShown(MESSAGE);
    app = app("run-1", null, null);
    // When
    later(action, MESSAGE);
    // Then
    awaitShown(MESSAGE, MESSAGE);
  }

  @Test
  void shouldTakeAwayOnlyItsOwnWords() {
    // Given
    var action = board().open(CHANGE);
    later(action, MESSAGE);
    awaitShown(MESSAGE);
    app = app("run-1", null, "pod db-1: drain");
    // When
    action.done();
    // Then
    awaitShown(MESSAGE, "unchanged");
    assertThat(app.getStatus().change().progress()).isEqualTo("pod db-1: drain");
  }

  @Test
  void shouldShowNothingForAChangeThatIsNotOursOrHasEnded() {
    for (var other : List.of(app("run-2", null, null), app("run-1", "Cancelled", null))) {
      // Given
      app = other;
      shown.clear();
      // When
      later(board().open(CHANGE), MESSAGE);
      // Then
      awaitShown("unchanged");
    }
  }

  @Test
  void shouldGoOnWhenItCannotBeWritten() {
    // Given
    var action = board().open(CHANGE);
    broken = true;
    later(action, MESSAGE);
    awaitShown("failure");
    broken = false;
    // When
    await().until(() -> reportsAgain(action));
    // Then
    assertThat(app.getStatus().change().progress()).isEqualTo(MESSAGE);
  }

  /** The failed write may not have ended quite yet. */
  private boolean reportsAgain(ActionProgressWriter.Action action) {
    later(action, MESSAGE);
    return shown.contains(MESSAGE);
  }

  private void later(ActionProgressWriter.Action action, String messages) {
    now = now.plus(ActionProgressWriter.PACE);
    action.report(messages);
  }

  private void awaitShown(String... messages) {
    await().untilAsserted(() -> assertThat(shown).containsExactly(messages));
  }

  private ActionProgressWriter board() {
    return new ActionProgressWriter(this::write, () -> now, new SensitiveValues());
  }

  private void write(AppId id, Function<App, Optional<AppStatus>> part) {
    if (broken) {
      shown.add("failure");
      throw Faults.of(FaultKind.UNAVAILABLE, "the API server does not answer");
    }
    var status = part.apply(app);
    status.ifPresent(next -> app = app("run-1", next.change().outcome(), next.change().progress()));
    shown.add(
        status
            .map(next -> Optional.ofNullable(next.change().progress()).orElse("nothing"))
            .orElse("unchanged"));
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
    app.setStatus(
        AppStatusBuilder.builder()
            .observedGeneration(6L)
            .acceptedGeneration(7L)
            .change(change)
            .build());
    return app;
  }
}
