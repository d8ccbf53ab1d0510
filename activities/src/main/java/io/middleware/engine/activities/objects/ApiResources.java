package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The API resources of kinds; each is looked up once. */
public final class ApiResources {
  private final Map<String, ResourceDefinitionContext> known = new ConcurrentHashMap<>();
  private final KubernetesClient client;

  public ApiResources(KubernetesClient client) {
    this.client = client;
  }

  /**
   * The resource of a kind, with its plural.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when there is no such namespaced
   *     kind
   */
  public ResourceDefinitionContext find(String apiVersion, String kind) {
    return known.computeIfAbsent(apiVersion + " " + kind, key -> lookUp(apiVersion, kind));
  }

  private ResourceDefinitionContext lookUp(String apiVersion, String kind) {
    var resources =
        Faults.attempt("look up kind " + kind, () -> client.getApiResources(apiVersion));
    if (resources == null) {
      throw unknown(apiVersion, kind);
    }
    return resources.getResources().stream()
        .filter(resource -> kind.equals(resource.getKind()) && !resource.getName().contains("/"))
        .filter(resource -> Boolean.TRUE.equals(resource.getNamespaced()))
        .findFirst()
        .map(resource -> ResourceDefinitionContext.fromApiResource(apiVersion, resource))
        .orElseThrow(() -> unknown(apiVersion, kind));
  }

  private static RuntimeException unknown(String apiVersion, String kind) {
    return Faults.of(
        FaultKind.INVALID,
        "the API server has no namespaced kind %s %s".formatted(apiVersion, kind));
  }
}
