package io.middleware.engine.process.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventTextsTest {
  private static final Event SCHEDULED =
      new EventBuilder()
          .withType("Normal")
          .withReason("Scheduled")
          .withEventTime(new MicroTime("2026-11-28T04:31:10.734675Z"))
          .build();

  @Test
  void shouldTellTheProblemOfTheSecondInWhichThePodWasScheduled() {
    // Given what a kubelet reports, to the second
    var failed = warning("FailedMount", "2026-11-28T04:31:10Z");
    // Then
    assertThat(EventTexts.ofPod(List.of(failed, SCHEDULED), false))
        .contains("FailedMount: secret \"creds\" not found");
  }

  @Test
  void shouldTellNoProblemThatIsOver() {
    // Given
    var failed = warning("FailedMount", "2026-11-28T04:31:09Z");
    // Then
    assertThat(EventTexts.ofPod(List.of(failed, SCHEDULED), false)).isEmpty();
  }

  private static Event warning(String reason, String last) {
    return new EventBuilder()
        .withType("Warning")
        .withReason(reason)
        .withNote("secret \"creds\" not found")
        .withDeprecatedLastTimestamp(last)
        .build();
  }
}
