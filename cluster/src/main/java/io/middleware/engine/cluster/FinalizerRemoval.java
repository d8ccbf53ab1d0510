package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.task.FaultKind;
import java.net.HttpURLConnection;

/** Lets an object go that a finalizer of the engine holds. */
public record FinalizerRemoval(KubernetesClient client) {
  /** Also when a test in a JSON patch fails. */
  private static final int UNPROCESSABLE = 422;

  /**
   * Removes only this finalizer, and only from this object, whatever else has changed meanwhile.
   * Does nothing if the object does not have it, or is gone.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind UNAVAILABLE when other finalizers were
   *     removed meanwhile
   */
  public void remove(HasMetadata object, String finalizer) {
    var place = object.getMetadata().getFinalizers().indexOf(finalizer);
    if (place < 0) {
      return;
    }
    var patch =
        """
        [{"op":"test","path":"/metadata/uid","value":"%1$s"},
         {"op":"test","path":"/metadata/finalizers/%2$d","value":"%3$s"},
         {"op":"remove","path":"/metadata/finalizers/%2$d"}]"""
            .formatted(object.getMetadata().getUid(), place, finalizer);
    var attempted = "release %s %s".formatted(object.getKind(), object.getMetadata().getName());
    try {
      client.resource(object).patch(PatchContext.of(PatchType.JSON), patch);
    } catch (KubernetesClientException e) {
      switch (e.getCode()) {
        case HttpURLConnection.HTTP_NOT_FOUND -> {} // somebody else has removed it
        case UNPROCESSABLE ->
            throw Faults.of(FaultKind.UNAVAILABLE, attempted + ": " + Faults.message(e));
        default -> throw Faults.of(attempted, e);
      }
    }
  }
}
