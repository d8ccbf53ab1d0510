package io.middleware.engine.e2e;

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
    pod.patch("[\"%s\"]".formatted(FINALIZER));
    return pod;
  }

  /** Lets it go. */
  public void release() {
    patch("null");
  }

  /** Lets all pods of a shop go that a test which has failed still holds. */
  static void releaseAll(Shop shop) {
    shop.client.pods().inNamespace(shop.namespace).list().getItems().stream()
        .filter(pod -> pod.getFinalizers().contains(FINALIZER))
        .forEach(pod -> new HeldPod(shop, pod.getMetadata().getName()).release());
  }

  private void patch(String finalizers) {
    shop.client
        .pods()
        .inNamespace(shop.namespace)
        .withName(name)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\": {\"finalizers\": %s}}".formatted(finalizers));
  }
}
