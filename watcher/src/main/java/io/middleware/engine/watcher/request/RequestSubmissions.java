package io.middleware.engine.watcher.request;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.watcher.change.WorkflowRuns;
import io.middleware.engine.watcher.request.RequestTurns.Turn;
import java.time.InstantSource;

/** Builds what submits the requests of a kind. */
public record RequestSubmissions(KubernetesClient client, WorkflowRuns runs, InstantSource clock) {

  /** For requests that have a workflow each, and wait for no other request. */
  public <T extends CustomResource<?, S>, S> RequestSubmission<T, S> of(
      RequestKind<T, S> kind, RequestEnds ends, RequestWorkflow<T> workflow) {
    var own = new TemporalRequestRuns<>(runs, workflow);
    return of(
        kind,
        (request, others, now) ->
            new Turn<>(RequestDecision.of(kind.progress(request), ends, now), own));
  }

  /** For requests whose turn depends on more than themselves. */
  public <T extends CustomResource<?, S>, S> RequestSubmission<T, S> of(
      RequestKind<T, S> kind, RequestTurns<T> turns) {
    return new RequestSubmission<>(kind, turns, new LiveRequests<>(client, kind.type()), clock);
  }
}
