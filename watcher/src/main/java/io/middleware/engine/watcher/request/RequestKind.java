package io.middleware.engine.watcher.request;

import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.watcher.request.RequestDecision.End;
import java.time.Duration;
import java.util.Optional;

/**
 * A kind of request: where its objects say how far they are.
 *
 * @param <S> their status
 */
public interface RequestKind<T extends CustomResource<?, S>, S> {

  Class<T> type();

  /** Name of the finalizer that holds one that is deleted until its run has stopped. */
  String finalizer();

  RequestProgress progress(T request);

  /** Reduces one in the cache to what {@link #progress} reads. */
  default void reduce(T request) {}

  /** The status of one that has not begun, with what it waits for. */
  S waiting(String phase, String why);

  /**
   * The status of one that has begun, with what its deletion waits for; the same where the kind
   * does not say that.
   */
  default S saying(T request, String why) {
    return request.getStatus();
  }

  /**
   * The status of one that has ended so; what it said before stays.
   *
   * @param at in RFC 3339
   */
  S ended(T request, End end, String at);

  /** Tells of an end before it is written. It may be told again: the write may fail. */
  default void announce(T request, End end) {}

  /** Counts an end that is written. */
  default void count(T request, End end) {}

  /** Whether a deletion of it would have to wait. */
  default boolean isHeld(T request) {
    return progress(request).endedAt().isEmpty();
  }

  /**
   * Clears away what one that is being deleted leaves behind. It has ended, or has not begun.
   *
   * @return when to look at it again; empty when it may go
   */
  default Optional<Duration> release(T request) {
    return Optional.empty();
  }
}
