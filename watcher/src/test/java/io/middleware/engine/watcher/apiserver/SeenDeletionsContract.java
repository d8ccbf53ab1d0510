package io.middleware.engine.watcher.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;

/** What is deleted is the object that was seen, in no other state. */
public interface SeenDeletionsContract<T extends HasMetadata> extends LiveObjects<T> {

  void delete(T seen);

  @Test
  default void shouldDeleteItAndCanDoSoTwice() {
    // Given
    var seen = create("one");
    delete(seen);
    // When Then
    assertThat(cluster().now(seen)).isNull();
    assertThatCode(() -> delete(seen)).doesNotThrowAnyException();
  }

  /** The failure has it looked at again. */
  @Test
  default void shouldNotDeleteOneThatHasChanged() {
    // Given
    var seen = create("one");
    touch(seen);
    // When Then
    assertConflict(seen);
    assertThat(cluster().now(seen).isMarkedForDeletion()).isFalse();
  }

  @Test
  default void shouldNotDeleteALaterObjectOfTheName() {
    // Given
    var seen = create("one");
    var later = replace(seen);
    // When Then
    assertConflict(seen);
    assertThat(cluster().now(later).isMarkedForDeletion()).isFalse();
  }

  private void assertConflict(T seen) {
    assertThatThrownBy(() -> delete(seen))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
  }
}
