package io.middleware.engine.watcher.change;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.middleware.engine.api.App;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubmissionConditionTest {
  private static final Instant SINCE = Instant.parse("2026-11-21T10:00:00.123Z");

  private final List<List<Condition>> written = new ArrayList<>();
  private final SubmissionCondition report =
      new SubmissionCondition(
          bare -> {
            assertThat(bare.getMetadata().getName()).isEqualTo("cache");
            written.add(((App) bare).getStatus().conditions());
          });

  @Test
  void shouldSayWhatTheEditWaitsFor() {
    // When
    report.late(app(7), SINCE, "no connection to 127.0.0.1:7233");

    // Then
    assertThat(written)
        .containsExactly(
            List.of(
                condition(
                    "generation 7 could not be submitted to Temporal, which is retried: no"
                        + " connection to 127.0.0.1:7233")));
  }

  @Test
  void shouldNotWriteTheSameTwice() {
    // Given
    report.late(app(7), SINCE, "no connection");

    // When
    report.late(showing(written.getFirst()), SINCE, "no connection");

    // Then
    assertThat(written).hasSize(1);
  }

  @Test
  void shouldTakeItBackWhereItShows() {
    // When
    report.arrived(showing(List.of(condition("late"))));
    report.arrived(showing(List.of()));
    report.arrived(app(7));

    // Then
    assertThat(written).containsExactly(List.of());
  }

  private static App showing(List<Condition> conditions) {
    return app(7, status(status(6L, 6L, null), conditions));
  }

  private static Condition condition(String message) {
    return new ConditionBuilder()
        .withType("Submitted")
        .withStatus("False")
        .withReason("TemporalUnavailable")
        .withMessage(message)
        .withObservedGeneration(7L)
        .withLastTransitionTime("2026-11-21T10:00:00Z")
        .build();
  }
}
