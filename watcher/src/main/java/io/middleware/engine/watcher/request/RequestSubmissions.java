package io.middleware.engine.watcher.request;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.watcher.temporal.TemporalCalls;
import java.time.InstantSource;

/** Builds what submits the requests of a kind. */
public record RequestSubmissions(
    KubernetesClient client, TemporalCalls calls, InstantSource clock) {

  /** For requests that have a workflow each, and wait for no other request. */
  public <T extends CustomResource<?, S>, S> RequestSubmission<T, S> of(
      RequestKind<T, S> kind, RequestEnds ends, RequestWorkflow<T> workflow) {
    return of(kind, RequestTurns.atOnce(kind, ends, runs(workflow)));
  }

  /** For requests whose turn depends on more than themselves. */
  public <T extends CustomResource<?, S>, S> RequestSubmission<T, S> of(
      RequestKind<T, S> kind, RequestTurns<T> turns) {
    return new RequestSubmission<>(kind, turns, objects(kind.type()), clock);
  }

  /** The runs of a workflow. */
  public <T> RequestRuns<T> runs(RequestWorkflow<T> workflow) {
    return new TemporalRequestRuns<>(calls, workflow);
  }

  /** The objects of a kind. */
  public <T extends HasMetadata> RequestObjects<T> objects(Class<T> type) {
    return new LiveRequests<>(client, type);
  }
}
