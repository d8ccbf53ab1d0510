package io.middleware.engine.process.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class OptimisticUpdateTest {
  private final OptimisticUpdate update = new OptimisticUpdate(3, Duration.ofMillis(1));
  private final AtomicInteger version = new AtomicInteger();
  private final List<String> written = new ArrayList<>();

  @Test
  void shouldReadAgainAfterAConflict() {
    assertThat(update("v%d"::formatted, 2)).contains("done");
    assertThat(written).containsExactly("v1", "v2", "v3");
  }

  @Test
  void shouldWriteOnceWithoutAConflict() {
    assertThat(update("v%d"::formatted, 0)).contains("done");
    assertThat(written).containsExactly("v1");
  }

  @Test
  void shouldFailWhenEachAttemptMeetsAConflict() {
    assertThatThrownBy(() -> update("v%d"::formatted, 3)).hasMessage("changes too often");
    assertThat(written).containsExactly("v1", "v2", "v3");
  }

  @Test
  void shouldWriteNothingWhenTheObjectIsGone() {
    // When
    var result =
        update.update(
            Optional::<Integer>empty, it -> Optional.of("v1"), this::write, this::failure);
    // Then
    assertThat(result).isEmpty();
    assertThat(written).isEmpty();
  }

  @Test
  void shouldWriteNothingWhenNothingIsToBeWritten() {
    // When
    var result =
        update.update(this::read, it -> Optional.<String>empty(), this::write, this::failure);
    // Then
    assertThat(result).isEmpty();
    assertThat(version).hasValue(1);
    assertThat(written).isEmpty();
  }

  @Test
  void shouldStopWhenTheObjectGoesAfterAConflict() {
    // When
    var result =
        update.update(
            () -> read().filter(it -> it == 1),
            it -> Optional.of("v" + it),
            (seen, next) -> {
              written.add(next);
              return Optional.empty();
            },
            this::failure);
    // Then
    assertThat(result).isEmpty();
    assertThat(written).containsExactly("v1");
  }

  private Optional<String> update(Function<Integer, String> next, int conflicts) {
    return update.update(
        this::read,
        next.andThen(Optional::of),
        (seen, text) -> write(seen, text).filter(it -> seen > conflicts),
        this::failure);
  }

  private Optional<Integer> read() {
    return Optional.of(version.incrementAndGet());
  }

  private Optional<String> write(int seen, String text) {
    written.add(text);
    return Optional.of("done");
  }

  private IllegalStateException failure() {
    return new IllegalStateException("changes too often");
  }
}
