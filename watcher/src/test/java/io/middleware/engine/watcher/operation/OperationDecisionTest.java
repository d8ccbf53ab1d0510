package io.middleware.engine.watcher.operation;

import static io.middleware.engine.watcher.operation.SampleOperations.action;
import static io.middleware.engine.watcher.operation.SampleOperations.app;
import static io.middleware.engine.watcher.operation.SampleOperations.begin;
import static io.middleware.engine.watcher.operation.SampleOperations.beginBeside;
import static io.middleware.engine.watcher.operation.SampleOperations.operation;
import static io.middleware.engine.watcher.operation.SampleOperations.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.watcher.Objects;
import io.middleware.engine.watcher.request.RequestDecision;
import io.middleware.engine.watcher.request.RequestDecision.Check;
import io.middleware.engine.watcher.request.RequestDecision.End;
import io.middleware.engine.watcher.request.RequestDecision.Hold;
import io.middleware.engine.watcher.request.RequestDecision.Remove;
import io.middleware.engine.watcher.request.RequestDecision.Start;
import io.middleware.engine.watcher.request.RequestDecision.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperationDecisionTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Start START =
      new Start(Optional.of("waits for the end of the App's open run"));

  private final Operation operation = operation("restart-2", "09:59:02");

  @Test
  void shouldStartWhenTheNewestEditHasBeenCarriedOut() {
    assertThat(decision(settled())).isEqualTo(START);
  }

  @Test
  void shouldWaitForTheNewestEdit() {
    assertThat(decision(app(8, 7, "Succeeded", null)))
        .isEqualTo(hold("generation 8 of the App is carried out first", SOON));
    assertThat(decision(app(8, 8, null, null))).isInstanceOf(Hold.class);
    assertThat(decision(Objects.app(1))).isInstanceOf(Hold.class);
  }

  @Test
  void shouldStartAfterAnEditThatFailed() {
    assertThat(decision(app(7, 7, "Failed", null))).isEqualTo(START);
  }

  @Test
  void shouldKeepTheOrderInWhichOperationsWereCreated() {
    // Given
    var earlier = operation("restart-1", "09:59:01");
    // When Then
    assertThat(decision(settled(), earlier))
        .isEqualTo(hold("waits for the end of Operation restart-1", SOON));
    // but not behind one that has ended, waits for its time, or is of another App
    earlier.setStatus(OperationStatus.pending("").ended("Succeeded", "", "2026-11-25T09:59:30Z"));
    var later = operation("restart-0", "09:59:00");
    later.setSpec(spec("2026-11-25T11:00:00+00:00", false));
    var other = operation("other", "09:59:00");
    other.setSpec(
        new OperationSpec("db", OperationAction.RESTART, null, null, null, null, 0, false));
    assertThat(decision(settled(), earlier, later, other)).isEqualTo(START);
  }

  @Test
  void shouldWaitBehindOneThatHasBegunWhateverItsAge() {
    // Given
    var younger = operation("restart-3", "09:59:03");
    begin(younger, "run-2");
    // When Then
    assertThat(decision(settled(), younger)).isInstanceOf(Hold.class);
  }

  @Test
  void shouldWaitForItsTime() {
    // Given
    operation.setSpec(spec("2026-11-25T12:00:00+01:00", false));
    // When Then
    assertThat(decision(settled()))
        .isEqualTo(hold("begins at 2026-11-25T11:00:00Z", Duration.ofHours(1)));
  }

  @Test
  void shouldBeRejectedAndHoldUpNobodyWhenItsTimeCannotBeRead() {
    // Given
    var unreadable = operation("restart-1", "09:59:01");
    unreadable.setSpec(spec("2026-02-30T00:00:00Z", false));
    // When Then
    assertThat(decision(settled(), unreadable)).isEqualTo(START);
    assertThat(decision(unreadable, Optional.of(settled()), NOW))
        .isEqualTo(
            new End(
                "Rejected",
                "spec.notBefore must be an RFC 3339 time, such as 2026-11-27T03:00:00Z"));
  }

  @Test
  void shouldBeRejectedAndHoldUpNobodyWhenItsSpecCannotBeRead() {
    // Given
    var unreadable = operation("restart-1", "09:59:01");
    unreadable.setSpec(null);
    // When Then
    assertThat(decision(settled(), unreadable)).isEqualTo(START);
    assertThat(decision(unreadable, Optional.empty(), NOW))
        .isEqualTo(new End("Rejected", "its spec cannot be read: it may need a newer engine"));
  }

  @Test
  void shouldWaitUntilARejectedEditIsCorrected() {
    assertThat(decision(app(7, 7, "Rejected", null)))
        .isEqualTo(hold("generation 7 of the App was rejected: correct the App first", SOON));
  }

  @Test
  void shouldWaitForItsApp() {
    assertThat(decision(operation, Optional.empty(), NOW))
        .isEqualTo(
            hold(
                "there is no App cache in namespace shop: it begins when there is one",
                Duration.ofSeconds(10)));
  }

  @Test
  void shouldNotBeginOnceItIsCancelled() {
    // Given
    operation.setSpec(spec(null, true));
    // When Then
    assertThat(decision(settled()))
        .isEqualTo(new End("Cancelled", "it was cancelled before it began"));
  }

  @Test
  void shouldLookAfterTheRunThatHasBegun() {
    // Given
    begin(operation, "run-2");
    var held = app(7, 7, "Succeeded", "uid-restart-2");
    // When Then
    assertThat(decision(held)).isEqualTo(new Check(false, START));
    operation.setSpec(spec(null, true));
    assertThat(decision(held)).isEqualTo(new Check(true, START));
  }

  /** Its run was terminated, and an edit has taken the run lock since. */
  @Test
  void shouldGoOnAfterAnEditThatCameBetween() {
    // Given
    begin(operation, "run-2");
    // When Then
    assertThat(decision(app(8, 8, null, null))).isInstanceOf(Hold.class);
    assertThat(decision(app(8, 8, "Succeeded", null))).isEqualTo(START);
    // but never again once it is cancelled
    operation.setSpec(spec(null, true));
    assertThat(decision(app(8, 8, null, null))).isInstanceOf(End.class);
  }

  @Test
  void shouldEndWithItsApp() {
    // Given
    begin(operation, "run-2");
    var another = settled();
    another.getMetadata().setUid("another");
    // When Then
    assertThat(decision(another)).isEqualTo(new End("Superseded", "the App was deleted"));
    assertThat(decision(Objects.deleted(settled())))
        .isEqualTo(new End("Superseded", "the App is being deleted"));
  }

  @Test
  void shouldNotWaitBehindOneThatExcludesNothing() {
    // Given
    var older = action("report-1", "09:59:01");
    beginBeside(older, "run-9");
    // When Then
    assertThat(decision(settled(), older)).isEqualTo(START);
  }

  @Test
  void shouldBeginDuringAChangeWhenItExcludesNothing() {
    // Given
    var report = action("report-1", "09:59:01");
    // When Then
    assertThat(beside(report, app(8, 7, null, null))).isEqualTo(START);
    assertThat(beside(report, app(7, 7, "Rejected", null))).isEqualTo(START);
    assertThat(beside(report, Objects.app(1))).isEqualTo(hold("the App is deployed first", SOON));
    assertThat(beside(report, Objects.deleted(settled())))
        .isEqualTo(new End("Rejected", "the App is being deleted"));
  }

  @Test
  void shouldLookAfterARunOfItsOwn() {
    // Given
    var report = action("report-1", "09:59:01");
    beginBeside(report, "run-2");
    // When Then
    assertThat(beside(report, app(8, 7, null, null))).isEqualTo(new Check(false, START));
    assertThat(beside(report, Objects.deleted(settled())))
        .isEqualTo(new End("Superseded", "the App is being deleted"));
    report.setSpec(action(true));
    assertThat(beside(report, app(8, 7, null, null)))
        .isEqualTo(
            new Check(
                true,
                new End("Cancelled", "its workflow run no longer existed when it was cancelled")));
  }

  @Test
  void shouldBeRemovedAWhileAfterItsEnd() {
    // Given
    operation.setStatus(OperationStatus.pending("").ended("Succeeded", "", "2026-11-25T09:59:30Z"));
    // When Then
    assertThat(decision(settled())).isEqualTo(new Wait(Optional.of(Duration.ofSeconds(30))));
    assertThat(decision(operation, Optional.empty(), NOW.plusSeconds(30))).isEqualTo(new Remove());
  }

  private static Hold hold(String why, Duration next) {
    return new Hold("Pending", why, Optional.of(next));
  }

  private RequestDecision decision(App app, Operation... siblings) {
    return decision(operation, Optional.of(app), NOW, siblings);
  }

  private static RequestDecision decision(
      Operation one, Optional<App> app, Instant now, Operation... siblings) {
    return OperationDecision.alone(one, now)
        .or(() -> OperationDecision.behind(List.of(siblings), one, now))
        .orElseGet(() -> OperationDecision.on(app, one));
  }

  private static RequestDecision beside(Operation one, App app) {
    return OperationDecision.beside(Optional.of(app), one);
  }

  private static App settled() {
    return app(7, 7, "Succeeded", null);
  }
}
