package io.middleware.engine.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SubmissionOrderTest {
  private final List<String> submitted = new ArrayList<>();

  @Test
  void shouldSubmitAnEditBeforeTheRequestsForItsChange() {
    // When
    order(0, 0, 0).submit(Objects.app(1));
    // Then
    assertThat(submitted).containsExactly("edit", "controls", "schedule");
  }

  @Test
  void shouldLookAgainWhenTheFirstPartHasTo() {
    assertThat(order(9, 0, 4).submit(Objects.app(1))).contains(Duration.ofSeconds(4));
    assertThat(order(0, 0, 0).submit(Objects.app(1))).isEmpty();
  }

  private SubmissionOrder order(int edit, int controls, int schedule) {
    return new SubmissionOrder(
        part("edit", edit), part("controls", controls), part("schedule", schedule));
  }

  private Function<App, Optional<Duration>> part(String name, int seconds) {
    return app -> {
      submitted.add(name);
      return Optional.of(Duration.ofSeconds(seconds)).filter(Duration::isPositive);
    };
  }
}
