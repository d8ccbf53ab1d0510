package io.middleware.engine.watcher.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;

/** A status is written to the object that was seen, and to no other state of it. */
public interface StatusWritesContract<T extends CustomResource<?, ?>> extends LiveObjects<T> {

  /** The plural of the kind, for example {@code backups}. */
  String plural();

  /** Writes a status with this message. */
  void write(T seen, String message);

  /** The message in the status of the object, which has one. */
  String message(T object);

  @Test
  default void shouldWriteTheStatus() {
    // Given
    var seen = create("one");
    // When
    write(seen, "as it goes");
    // Then
    assertThat(message(cluster().now(seen))).isEqualTo("as it goes");
  }

  @Test
  default void shouldNotWriteToAnObjectThatHasChanged() {
    // Given
    var seen = create("one");
    touch(seen);
    // When
    write(seen, "as it was");
    // Then
    assertThat(cluster().now(seen).getStatus()).isNull();
  }

  @Test
  default void shouldNotWriteToAnObjectThatIsGone() {
    // Given
    var seen = create("one");
    remove(seen);
    // When Then
    assertThatCode(() -> write(seen, "as it was")).doesNotThrowAnyException();
  }

  @Test
  default void shouldNotWriteToALaterObjectOfTheName() {
    // Given
    var seen = create("one");
    var later = replace(seen);
    // When
    write(seen, "as it was");
    // Then
    assertThat(cluster().now(later).getStatus()).isNull();
  }

  @Test
  default void shouldWriteToAnObjectThatIsBeingDeleted() {
    // Given
    var seen = createDeleted("one");
    // When
    write(seen, "is stopped");
    // Then
    assertThat(message(cluster().now(seen))).isEqualTo("is stopped");
  }

  @Test
  default void shouldNotSwallowARefusal() {
    // Given
    var seen = create("one");
    var probe = create("probe");
    var group = seen.getApiVersion().split("/")[0];
    cluster().refuse("UPDATE", group, plural() + "/status", () -> writeAnother(probe));
    // When Then
    assertThatThrownBy(() -> write(seen, "as it goes"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("refused by a test");
  }

  private void writeAnother(T object) {
    var now = cluster().now(object);
    write(now, "after version " + now.getMetadata().getResourceVersion());
  }
}
