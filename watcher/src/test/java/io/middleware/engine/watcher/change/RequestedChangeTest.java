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
import io.middleware.engine.api.NewEditPolicy;
import io.middleware.engine.watcher.cache.AppCacheTransform;
import io.middleware.engine.watcher.change.RequestedChange.Stage;
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
        arguments("new", app(1), Stage.UNANSWERED),
        arguments("status of health only", app(1, status(null, null, null)), Stage.UNANSWERED),
        arguments("edited", app(7, status(6L, 6L, change(6, "Succeeded"))), Stage.UNANSWERED),
        arguments("edited in a run", app(8, status(6L, 7L, change(7, null))), Stage.UNANSWERED),
        arguments("first run", app(1, status(null, 1L, change(1, null))), Stage.UNDERWAY),
        arguments("run with a pending", app(8, status(6L, 8L, change(7, null))), Stage.UNDERWAY),
        arguments("manual retry", app(7, status(7L, 7L, change(7, null))), Stage.UNDERWAY),
        arguments(
            "pending left", app(8, status(7L, 8L, change(7, "Cancelled"))), Stage.LEFT_BEHIND),
        arguments("accepted only", app(1, status(null, 1L, null)), Stage.LEFT_BEHIND),
        arguments("done", app(7, status(7L, 7L, change(7, "Succeeded"))), null),
        arguments("failed", app(7, status(7L, 7L, change(7, "Failed"))), null),
        arguments("rejected", app(7, status(7L, 7L, change(7, "Rejected"))), null),
        arguments(
            "deleted when done",
            deleted(app(8, status(8L, 8L, change(8, "Succeeded")))),
            Stage.UNANSWERED));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("apps")
  void shouldSayHowFarTheAppsWishHasCome(String name, App app, Stage stage) {
    assertThat(RequestedChange.of(app).map(RequestedChange::stage))
        .isEqualTo(Optional.ofNullable(stage));
  }

  @Test
  void shouldAskForTheNewestGenerationOfTheCachedObject() {
    // Given
    var app = deleted(app(9));
    var created = Instant.parse("2026-11-20T10:00:00Z").toEpochMilli();
    AppCacheTransform.cut(app);

    // When
    var wish = RequestedChange.of(app);

    // Then
    assertThat(wish)
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
    AppCacheTransform.cut(app);

    // When
    var wish = RequestedChange.of(app);

    // Then
    assertThat(wish).isNotEqualTo(before);
    assertThat(wish.map(RequestedChange::request)).isEqualTo(before.map(RequestedChange::request));
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
    AppCacheTransform.cut(app);

    // When
    var wish = RequestedChange.of(app);

    // Then
    assertThat(wish)
        .map(RequestedChange::request)
        .hasValueSatisfying(
            request -> {
              assertThat(request.paused()).isEqualTo(paused);
              assertThat(request.urgent()).isEqualTo(urgent);
            });
  }
}
