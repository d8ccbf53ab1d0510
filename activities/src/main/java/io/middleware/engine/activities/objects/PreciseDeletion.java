package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.ImpersonatedClients;
import java.net.HttpURLConnection;

/** Deletes one object by its uid, with the rights of the App's service account. */
public final class PreciseDeletion {
  private final ImpersonatedClients writers;
  private final ApiResources apiResources;

  PreciseDeletion(ImpersonatedClients writers, ApiResources apiResources) {
    this.writers = writers;
    this.apiResources = apiResources;
  }

  /**
   * @param asSeen whether the version must be the one that was read as well
   */
  void delete(App app, HasMetadata object, String propagation, boolean asSeen) {
    delete(writers.of(app), apiResources, object, propagation, asSeen);
  }

  /**
   * Deletes it as this client; one that is gone already is fine. The client's own delete cannot set
   * a precondition on the uid.
   *
   * @param asSeen whether the version must be the one that was read as well
   */
  public static void delete(
      KubernetesClient writer,
      ApiResources apiResources,
      HasMetadata object,
      String propagation,
      boolean asSeen) {
    var root = object.getApiVersion().contains("/") ? "/apis/" : "/api/";
    var metadata = object.getMetadata();
    var path =
        "%s%s/namespaces/%s/%s/%s"
            .formatted(
                root,
                object.getApiVersion(),
                metadata.getNamespace(),
                apiResources.find(object.getApiVersion(), object.getKind()).getPlural(),
                metadata.getName());
    var options =
        new DeleteOptionsBuilder()
            .withApiVersion("v1")
            .withKind("DeleteOptions")
            .withPropagationPolicy(propagation)
            .withNewPreconditions(asSeen ? metadata.getResourceVersion() : null, metadata.getUid())
            .build();
    try {
      writer.raw(path, "DELETE", options);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }
}
