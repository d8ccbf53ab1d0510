package io.middleware.engine.watcher.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is read is the object that was seen, in its newest state. */
public interface LiveReadsContract<T extends HasMetadata> extends LiveObjects<T> {

  Optional<T> live(T seen);

  @Test
  default void shouldReadTheNewestState() {
    // Given
    var seen = create("one");
    var newest = touch(seen);
    // When
    var live = live(seen);
    // Then
    assertThat(live.orElseThrow().getMetadata().getResourceVersion())
        .isEqualTo(newest.getMetadata().getResourceVersion());
  }

  @Test
  default void shouldReadOneThatIsBeingDeleted() {
    // Given
    var seen = createDeleted("one");
    // When Then
    assertThat(live(seen)).isPresent();
  }

  @Test
  default void shouldReadNothingWhenItIsGone() {
    // Given
    var seen = create("one");
    remove(seen);
    // When Then
    assertThat(live(seen)).isEmpty();
  }

  @Test
  default void shouldNotReadALaterObjectOfTheName() {
    // Given
    var seen = create("one");
    replace(seen);
    // When Then
    assertThat(live(seen)).isEmpty();
  }
}
