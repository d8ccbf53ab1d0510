package io.middleware.engine.watcher.change;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.carriedOut;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.deleted;
import static io.middleware.engine.watcher.Objects.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.NewEditPolicy;
import io.middleware.engine.watcher.cache.AppCacheTransform;
import io.middleware.engine.watcher.change.RequestedChange.RequestStage;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeTarget;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RequestedChangeTest {

  static Stream<Arguments> apps() {
    return Stream.of(
        arguments("new", app(1), RequestStage.NOT_ACCEPTED),
        arguments(
            "status of health only", app(1, status(null, null, null)), RequestStage.NOT_ACCEPTED),
        arguments(
            "edited", app(7, status(6L, 6L, change(6, "Succeeded"))), RequestStage.NOT_ACCEPTED),
        arguments(
            "edited in a run", app(8, status(6L, 7L, change(7, null))), RequestStage.NOT_ACCEPTED),
        arguments("first run", app(1, status(null, 1L, change(1, null))), RequestStage.IN_PROGRESS),
        arguments(
            "run with a pending",
            app(8, status(6L, 8L, change(7, null))),
            RequestStage.IN_PROGRESS),
        arguments(
            "manual retry", app(7, status(7L, 7L, change(7, null))), RequestStage.IN_PROGRESS),
        arguments(
            "pending left",
            app(8, status(7L, 8L, change(7, "Cancelled"))),
            RequestStage.UNFINISHED),
        arguments("accepted only", app(1, status(null, 1L, null)), RequestStage.UNFINISHED),
        arguments("done", app(7, status(7L, 7L, change(7, "Succeeded"))), null),
        arguments(
            "foreign acceptance",
            app(7, status(6L, 999L, change(6, "Succeeded"))),
            RequestStage.NOT_ACCEPTED),
        arguments(
            "foreign end",
            app(7, status(999L, 7L, change(6, "Succeeded"))),
            RequestStage.UNFINISHED),
        arguments("failed", app(7, status(7L, 7L, change(7, "Failed"))), null),
        arguments("rejected", app(7, status(7L, 7L, change(7, "Rejected"))), RequestStage.REJECTED),
        arguments(
            "deleted when done",
            deleted(app(8, status(8L, 8L, change(8, "Succeeded")))),
            RequestStage.NOT_ACCEPTED));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("apps")
  void shouldSayHowFarTheAppsWishHasCome(String name, App app, RequestStage stage) {
    assertThat(RequestedChange.of(app).map(RequestedChange::stage))
        .isEqualTo(Optional.ofNullable(stage));
  }

  @Test
  void shouldAskForTheNewestGenerationOfTheCachedObject() {
    // Given
    var app = deleted(app(9));
    var created = Instant.parse("2026-11-20T10:00:00Z").toEpochMilli();
    AppCacheTransform.reduce(app);

    // When
    var requested = RequestedChange.of(app);

    // Then
    assertThat(requested)
        .map(RequestedChange::request)
        .hasValue(
            new ChangeRequest(new ChangeTarget("shop", "cache", "uid-cache", created), 9, true)
                .using(Optional.of("redis-v1.0.0")));
  }

  @Test
  void shouldBeAnotherWishWhenADeletionIsForced() {
    // Given
    var app = deleted(app(9));
    var before = RequestedChange.of(app);
    app.getMetadata().setAnnotations(Map.of(Labels.FORCE_DELETE, "true"));
    AppCacheTransform.reduce(app);

    // When
    var requested = RequestedChange.of(app);

    // Then
    assertThat(requested).isNotEqualTo(before);
    assertThat(requested.map(RequestedChange::request))
        .isEqualTo(before.map(RequestedChange::request));
  }

  @ParameterizedTest
  @CsvSource({
    ",,false,false",
    "false,WAIT,false,false",
    "true,WAIT,true,false",
    "false,SUPERSEDE,false,true",
    "true,SUPERSEDE,true,true",
  })
  void shouldSayHowTheAppWantsItCarriedOut(
      Boolean asked, NewEditPolicy onNewChange, boolean paused, boolean urgent) {
    // Given
    var app = carriedOut(app(9), asked, onNewChange);
    AppCacheTransform.reduce(app);

    // When
    var requested = RequestedChange.of(app);

    // Then
    assertThat(requested)
        .map(RequestedChange::request)
        .hasValueSatisfying(
            request -> {
              assertThat(request.paused()).isEqualTo(paused);
              assertThat(request.urgent()).isEqualTo(urgent);
            });
  }
}
