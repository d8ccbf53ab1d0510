package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityCompletionFailureException;
import org.junit.jupiter.api.Test;

class ActivityHeartbeatTest {

  @Test
  void shouldHearACancelThatTheClientHasWrapped() {
    var cancel = new ActivityCanceledException();
    assertThat(ActivityHeartbeat.answer(new ActivityCompletionFailureException(cancel)))
        .containsSame(cancel);
  }

  @Test
  void shouldGoOnWithoutAnAnswer() {
    var failure = new ActivityCompletionFailureException(new IllegalStateException("unavailable"));
    assertThat(ActivityHeartbeat.answer(failure)).isEmpty();
  }
}
