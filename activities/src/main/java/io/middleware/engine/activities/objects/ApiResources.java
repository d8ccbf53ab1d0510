package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.render.guard.ObjectKind;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The API resources of kinds; the kinds of an API version are looked up once. What is not an API
 * version is not asked for: it becomes part of a path, which the engine would read with its own
 * rights.
 */
public final class ApiResources {
  private final Map<ObjectKind, ResourceDefinitionContext> known = new ConcurrentHashMap<>();
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
    var wanted = new ObjectKind(apiVersion, kind);
    if (!known.containsKey(wanted)) {
      lookUp(apiVersion);
    }
    return Optional.ofNullable(known.get(wanted)).orElseThrow(() -> unknown(wanted));
  }

  private void lookUp(String apiVersion) {
    if (!SchemaPatterns.isFollowed(SchemaPatterns.API_VERSION, apiVersion)) {
      throw Faults.of(
          FaultKind.INVALID,
          "apiVersion: \"%s\" is not valid: use %s"
              .formatted(PlainText.clean(apiVersion), SchemaPatterns.API_VERSION_IS));
    }
    Optional.ofNullable(
            Faults.attempt("look up " + apiVersion, () -> client.getApiResources(apiVersion)))
        .stream()
        .flatMap(found -> found.getResources().stream())
        .filter(resource -> !resource.getName().contains("/"))
        .filter(resource -> Boolean.TRUE.equals(resource.getNamespaced()))
        .forEach(
            resource ->
                known.putIfAbsent(
                    new ObjectKind(apiVersion, resource.getKind()),
                    ResourceDefinitionContext.fromApiResource(apiVersion, resource)));
  }

  private static RuntimeException unknown(ObjectKind kind) {
    return Faults.of(
        FaultKind.INVALID,
        "the API server has no namespaced kind " + PlainText.clean(kind.toString()));
  }
}
