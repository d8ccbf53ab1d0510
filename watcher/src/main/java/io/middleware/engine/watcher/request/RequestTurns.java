package io.middleware.engine.watcher.request;

import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/** Whose turn it is: what to do about a request among the others, and which runs carry it out. */
public interface RequestTurns<T> {

  /** What to do about a request now. */
  record Turn<T>(RequestDecision decision, RequestRuns<T> runs) {}

  /**
   * Decides about a request.
   *
   * @param others the requests of the kind in its namespace
   * @throws TemporalUnavailableException when Temporal does not answer
   */
  Turn<T> of(T request, Supplier<List<T>> others, Instant now);

  /** Requests that have a workflow each, and wait for no other one. */
  static <T extends CustomResource<?, ?>> RequestTurns<T> atOnce(
      RequestKind<T, ?> kind, RequestEnds ends, RequestRuns<T> runs) {
    return (request, others, now) ->
        new Turn<>(RequestDecision.of(kind.progress(request), ends, now), runs);
  }
}
