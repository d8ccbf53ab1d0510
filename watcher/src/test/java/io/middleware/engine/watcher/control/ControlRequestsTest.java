package io.middleware.engine.watcher.control;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.status;
import static io.middleware.engine.watcher.Objects.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Labels;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import io.middleware.engine.watcher.change.ControlRequest.CancelChange;
import io.middleware.engine.watcher.change.FakeChangeRuns;
import io.middleware.engine.watcher.change.RequestAnswer.NotYet;
import io.middleware.engine.watcher.change.RequestAnswer.Refused;
import io.middleware.engine.watcher.control.ControlRequests.AllowedControls;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ControlRequestsTest {
  private static final Duration AWAY = Duration.ofSeconds(2);
  private static final String RETRY = "{\"retryTaskIds\": [\"7-config-nodes\"]}";

  private final FakeChangeRuns runs = new FakeChangeRuns();

  @Test
  void shouldLeaveAnAppAloneThatAsksForNothing() {
    // Given
    var apps = new FakeApps(app(7));

    // When
    var again = controls(apps).reconcile(apps.app);

    // Then
    assertThat(again).isEmpty();
    assertThat(apps.reads).isZero();
  }

  @Test
  void shouldAskTheOpenRunAndTellItsAnswer() {
    // Given
    var apps = asking(Map.of(Labels.CANCEL_CONTROL, "{}", "keep.me", "yes"));
    runs.open = true;

    // When
    controls(apps).reconcile(apps.app);

    // Then
    assertThat(runs.requests.values())
        .containsExactly(new CancelChange(new ChangeScope(Optional.empty())));
    assertThat(apps.outcomes)
        .singleElement()
        .isEqualTo(new ControlOutcome(id(), false, "CancelRequested", "as requested"));
    assertThat(apps.app.getMetadata().getAnnotations()).isEqualTo(Map.of("keep.me", "yes"));
  }

  @Test
  void shouldTellWhatTheRunRefuses() {
    // Given
    var apps = asking(Map.of(Labels.CANCEL_CONTROL, "{\"cancelTaskIds\": [\"9-config-other\"]}"));
    runs.open = true;
    runs.answer = new Refused("no task '9-config-other'; there are: 7-config-nodes");

    // When
    controls(apps).reconcile(apps.app);

    // Then
    assertThat(apps.outcomes)
        .singleElement()
        .satisfies(
            outcome -> {
              assertThat(outcome.refused()).isTrue();
              assertThat(outcome.reason()).isEqualTo("ControlRefused");
              assertThat(outcome.note()).contains("there are: 7-config-nodes");
            });
    assertThat(apps.app.getMetadata().getAnnotations()).isEmpty();
  }

  @Test
  void shouldNotBotherARunWithWhatCannotBeRead() {
    // Given
    var apps = asking(Map.of(Labels.CANCEL_CONTROL, "x".repeat(200 * 1024)));
    runs.open = true;

    // When
    controls(apps).reconcile(apps.app);

    // Then
    assertThat(runs.requests).isEmpty();
    assertThat(apps.outcomes).singleElement().matches(ControlOutcome::refused);
    assertThat(apps.app.getMetadata().getAnnotations()).isEmpty();
  }

  @Test
  void shouldNotAskAgainWhatHasBeenAnswered() {
    // Given a cache that lags behind
    var apps = asking(Map.of());
    runs.open = true;

    // When
    controls(apps).reconcile(asking(Map.of(Labels.CANCEL_CONTROL, "{}")).app);

    // Then
    assertThat(apps.reads).isOne();
    assertThat(runs.requests).isEmpty();
  }

  @Test
  void shouldLetTheRequestStandWhileTemporalIsAway() {
    // Given
    var apps = asking(Map.of(Labels.CANCEL_CONTROL, "{}"));
    runs.unavailable = true;

    // When
    var again = controls(apps).reconcile(apps.app);

    // Then
    assertThat(again).hasValue(AWAY);
    assertThat(apps.outcomes).isEmpty();
    assertThat(apps.app.getMetadata().getAnnotations()).containsKey(Labels.CANCEL_CONTROL);
  }

  @Test
  void shouldAskAgainSoonWhatCameBeforeTheRunHasBegun() {
    // Given
    var apps = asking(Map.of(Labels.CANCEL_CONTROL, "{}"));
    runs.open = true;
    runs.answer = new NotYet();

    // When
    var again = controls(apps).reconcile(apps.app);

    // Then
    assertThat(again).hasValue(AWAY);
    assertThat(apps.outcomes).isEmpty();
    assertThat(apps.app.getMetadata().getAnnotations()).containsKey(Labels.CANCEL_CONTROL);
  }

  @Test
  void shouldRefuseACancelWhenNothingRuns() {
    // Given
    var apps = asking(Map.of(Labels.CANCEL_CONTROL, "{}"));

    // When
    controls(apps).reconcile(apps.app);

    // Then
    assertThat(apps.outcomes).singleElement().matches(ControlOutcome::refused);
    assertThat(apps.outcomes.getFirst().note()).startsWith("no change is running");
    assertThat(runs.signals).isEmpty();
  }

  @Test
  void shouldStartARunForARetryWhenNoneIsOpen() {
    // Given
    var apps = asking(Map.of(Labels.RETRY_CONTROL, RETRY));

    // When
    controls(apps).reconcile(apps.app);

    // Then
    assertThat(runs.signals)
        .singleElement()
        .satisfies(
            wish -> {
              assertThat(wish.cause()).isEqualTo(SignalCause.RETRY);
              assertThat(wish.request().generation()).isEqualTo(7);
              assertThat(wish.request().retry())
                  .hasValue(new RetryRequest(List.of("7-config-nodes"), false));
            });
    assertThat(apps.outcomes).extracting(ControlOutcome::reason).containsExactly("RetryRequested");
    assertThat(apps.app.getMetadata().getAnnotations()).isEmpty();
  }

  @Test
  void shouldPlanARejectedChangeAgainAtOnce() {
    // Given
    var apps = asking(Map.of(Labels.RETRY_CONTROL, "{}"));
    apps.app.setStatus(status(7L, 7L, change(7, "Rejected")));

    // When
    controls(apps).reconcile(apps.app);

    // Then
    assertThat(runs.signals)
        .singleElement()
        .satisfies(
            signal -> {
              assertThat(signal.cause()).isEqualTo(SignalCause.REPLAN);
              assertThat(signal.request().generation()).isEqualTo(7);
              assertThat(signal.request().retry()).isEmpty();
            });
    assertThat(apps.outcomes)
        .extracting(ControlOutcome::note)
        .containsExactly("retry accepted: generation 7 is planned again");
    assertThat(apps.app.getMetadata().getAnnotations()).isEmpty();
  }

  @Test
  void shouldWantTasksNamedWhereTheChangeWasNotRejected() {
    // Given
    var apps = asking(Map.of(Labels.RETRY_CONTROL, "{}"));

    // When
    controls(apps).reconcile(apps.app);

    // Then
    assertThat(runs.signals).isEmpty();
    assertThat(apps.outcomes).singleElement().matches(ControlOutcome::refused);
    assertThat(apps.outcomes.getFirst().note())
        .startsWith("only a change that was rejected is retried as a whole: name the tasks");
  }

  static Stream<Arguments> retries() {
    return Stream.of(
        arguments(failed(7), "6-config-nodes", "no task '6-config-nodes' in generation 7"),
        arguments(failed(7), "6-config-nodes", "there are: 7-config-nodes, 7-config-done"),
        arguments(failed(7), "7-config-done", "task 7-config-done is Done"),
        arguments(failed(6), "7-config-nodes", "for generation 6, but the App is at generation 7"),
        arguments(status(7L, 7L, change(7, "Failed")), "7-config-nodes", "there are: none"),
        arguments(null, "7-config-nodes", "no change has run yet"));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("retries")
  void shouldRefuseARetryThatTheStatusRulesOut(AppStatus status, String id, String why) {
    // Given
    var apps = asking(Map.of(Labels.RETRY_CONTROL, RETRY.replace("7-config-nodes", id)));
    apps.app.setStatus(status);

    // When
    controls(apps).reconcile(apps.app);

    // Then
    assertThat(runs.signals).isEmpty();
    assertThat(apps.outcomes).singleElement().matches(ControlOutcome::refused);
    assertThat(apps.outcomes.getFirst().note()).contains(why);
  }

  @Test
  void shouldRefuseWhatTheSettingsSwitchOff() {
    // Given
    var apps = asking(Map.of(Labels.CANCEL_CONTROL, "{}", Labels.RETRY_CONTROL, RETRY));
    runs.open = true;

    // When
    new ControlRequests(runs, apps, new AllowedControls(false, false), AWAY).reconcile(apps.app);

    // Then
    assertThat(runs.requests).isEmpty();
    assertThat(apps.outcomes)
        .allMatch(ControlOutcome::refused)
        .extracting(ControlOutcome::note)
        .containsExactly(
            "annotation middleware.io/cancel-control is disabled: manualCancel is false in the"
                + " engine's settings",
            "annotation middleware.io/retry-control is disabled: manualRetry is false in the"
                + " engine's settings");
    assertThat(apps.app.getMetadata().getAnnotations()).isEmpty();
  }

  private ControlRequests controls(FakeApps apps) {
    return new ControlRequests(runs, apps, new AllowedControls(true, true), AWAY);
  }

  private String id() {
    return runs.requests.keySet().iterator().next();
  }

  private static FakeApps asking(Map<String, String> annotations) {
    var app = app(7, failed(7));
    app.getMetadata().setAnnotations(annotations);
    return new FakeApps(app);
  }

  private static AppStatus failed(long generation) {
    return status(
        generation,
        change(generation, "Failed"),
        List.of(task("7-config-nodes", "Failed"), task("7-config-done", "Done")));
  }
}
