package io.middleware.engine.e2e;

import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/**
 * A pod with a foreign finalizer: whoever takes it away waits until it is released. So a change
 * stays where it is while a test does something to it, however long that takes.
 */
public record HeldPod(Shop shop, String name) {
  private static final String FINALIZER = "e2e.middleware.io/hold";

  /** Holds a pod that is there. */
  public static HeldPod hold(Shop shop, String name) {
    var pod = new HeldPod(shop, name);
    pod.patch("finalizers");
    return pod;
  }

  /** Lets it go; the finalizers of others stay. */
  public void release() {
    patch("$deleteFromPrimitiveList/finalizers");
  }

  /** Lets all pods of a shop go that a test which has failed still holds, if they are there. */
  static void releaseAll(Shop shop) {
    shop.client.pods().inNamespace(shop.namespace).list().getItems().stream()
        .filter(pod -> pod.getFinalizers().contains(FINALIZER))
        .forEach(pod -> new HeldPod(shop, pod.getMetadata().getName()).releaseIfThere());
  }

  private void releaseIfThere() {
    try {
      release();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  /** Adds the finalizer to the list of this name, or takes it away from it. */
  private void patch(String list) {
    shop.client
        .pods()
        .inNamespace(shop.namespace)
        .withName(name)
        .patch(
            PatchContext.of(PatchType.STRATEGIC_MERGE),
            "{\"metadata\": {\"%s\": [\"%s\"]}}".formatted(list, FINALIZER));
  }
}
