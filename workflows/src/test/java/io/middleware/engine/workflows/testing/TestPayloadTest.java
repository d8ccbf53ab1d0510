package io.middleware.engine.workflows.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.workflows.testing.port.CleanUpPlan;
import io.middleware.engine.workflows.testing.port.CleanUpPlan.ObjectName;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundBegun;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundEnd;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.TestEnd;
import io.middleware.engine.workflows.testing.port.PassedRound;
import io.middleware.engine.workflows.testing.port.StepProgress;
import io.middleware.engine.workflows.testing.port.StepProgress.Phase;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.middleware.engine.workflows.testing.port.TestRefusal;
import io.temporal.common.converter.DefaultDataConverter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the workflows of tests send and get keeps its meaning on the wire. */
class TestPayloadTest {
  private static final DefaultDataConverter CONVERTER = DefaultDataConverter.newDefaultInstance();
  private static final Instant NOW = Instant.parse("2026-11-26T03:00:00Z");

  private static final RoundPlan PLAN =
      new RoundPlan(
          "spec",
          true,
          List.of(new StepPlan("up", Duration.ofMinutes(10), true, false, Optional.of("swap"))),
          Optional.empty(),
          Optional.of(20),
          Optional.of(Duration.ofHours(8)),
          new CleanUpPlan("tester", List.of(new ObjectName("v1", "ConfigMap", "a")), true));

  static Stream<Object> payloads() {
    var first = new IntegrationTestRequest("", "shop", "upgrade", "uid-1", 1, NOW);
    var progress = new StepProgress("up", Phase.FAILED, "no", Optional.of(NOW), Optional.empty());
    return Stream.of(
        first,
        first.next(PLAN, new PassedRound(1, NOW, NOW)),
        new RoundBegun(Optional.of(PLAN), Optional.empty()),
        new RoundBegun(
            Optional.empty(), Optional.of(new TestRefusal("Rejected", "InvalidSpec", "no"))),
        new TestEnd(
            new TestRef("", "shop", "upgrade", "uid-1", "test/shop/upgrade", "run-1"),
            "Failed",
            "CheckFailed",
            "round 1, step up: no",
            Optional.of("up"),
            new RoundEnd(1, true, false, NOW, List.of(progress))));
  }

  @ParameterizedTest
  @MethodSource("payloads")
  void shouldStayTheSame(Object value) {
    var payload = CONVERTER.toPayload(value).orElseThrow();
    assertThat((Object) CONVERTER.fromPayload(payload, value.getClass(), value.getClass()))
        .isEqualTo(value);
  }

  @Test
  void shouldReadARequestOfTheFirstRound() {
    // Given
    var given = new LinkedHashMap<String, Object>();
    given.put("cluster", "");
    given.put("namespace", "shop");
    given.put("name", "upgrade");
    given.put("uid", "uid-1");
    given.put("round", 1);
    given.put("begun", "2026-11-26T03:00:00Z");
    // When
    var request =
        CONVERTER.fromPayload(
            CONVERTER.toPayload(given).orElseThrow(),
            IntegrationTestRequest.class,
            IntegrationTestRequest.class);
    // Then
    assertThat(request)
        .isEqualTo(new IntegrationTestRequest("", "shop", "upgrade", "uid-1", 1, NOW));
  }

  @Test
  void shouldRememberTwentyRounds() {
    // Given
    var request = new IntegrationTestRequest("", "shop", "upgrade", "uid-1", 1, NOW);
    // When
    for (var round = 1; round <= 30; round++) {
      request = request.next(PLAN, new PassedRound(round, NOW, NOW));
    }
    // Then
    assertThat(request.round()).isEqualTo(31);
    assertThat(request.passed()).extracting(PassedRound::round).hasSize(20).startsWith(11);
  }
}
