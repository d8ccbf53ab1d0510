package io.middleware.engine.activities.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class CopyTimeLimitIT {
  private static final Duration OTHERWISE = Duration.ofHours(1);

  @Test
  void shouldKnowWhatIsLeftOfTheActivity() {
    assertThat(remaining(ActivityOptions.newBuilder().setScheduleToCloseTimeout(minutes(2))))
        .isBetween(minutes(1), minutes(2));
  }

  @Test
  void shouldLeaveAPartOfAShortTimeForTheEnd() {
    assertThat(
            remaining(
                ActivityOptions.newBuilder().setScheduleToCloseTimeout(Duration.ofSeconds(12))))
        .isBetween(Duration.ofSeconds(6), Duration.ofSeconds(9));
  }

  @Test
  void shouldNotKnowWithoutALimit() {
    assertThat(remaining(ActivityOptions.newBuilder().setStartToCloseTimeout(minutes(2))))
        .isEqualTo(OTHERWISE);
  }

  private static Duration remaining(ActivityOptions.Builder options) {
    var temporal = TestActivityEnvironment.newInstance();
    try {
      temporal.registerActivitiesImplementations(new AskingImpl());
      return temporal.newActivityStub(Asking.class, options.build()).remaining();
    } finally {
      temporal.close();
    }
  }

  private static Duration minutes(int number) {
    return Duration.ofMinutes(number);
  }

  @ActivityInterface
  public interface Asking {
    Duration remaining();
  }

  public static final class AskingImpl implements Asking {
    @Override
    public Duration remaining() {
      return CopyTimeLimit.ofActivity(InstantSource.system()).remaining(OTHERWISE);
    }
  }
}
