package io.middleware.engine.render;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Endpoint;
import io.middleware.engine.api.plugin.EndpointRole;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The Services of a group for the applications that use it. One that follows a role has a selector
 * that matches no pod, and the watcher writes the addresses behind it. Without a selector,
 * Kubernetes would leave the addresses that it wrote while the Service led to any pod.
 */
record EndpointServices(ComponentType type, RenderContext context) {
  private static final ObjectKind SERVICE = new ObjectKind("v1", "Service");

  List<Map<String, Object>> trees() {
    return endpoints().stream().map(this::tree).toList();
  }

  /** The same objects; these Services say which endpoint they are, which no template may. */
  RenderedObjects marked(RenderedObjects objects) {
    return endpoints().isEmpty()
        ? objects
        : new RenderedObjects(objects.inOrder().stream().map(this::marked).toList());
  }

  private List<Endpoint> endpoints() {
    return GroupContext.orEmpty(type.endpoints());
  }

  private Map<String, Object> tree(Endpoint endpoint) {
    var port =
        Map.of(
            "name", endpoint.name(),
            "port", endpoint.port(),
            "targetPort", endpoint.port(),
            "protocol", "TCP");
    Map<String, Object> selector = new TreeMap<>(context.owner().constant());
    if (endpoint.role() != EndpointRole.ANY) {
      selector.put(Labels.ENDPOINT, endpoint.role().label());
    }
    return Map.of(
        "apiVersion",
        SERVICE.apiVersion(),
        "kind",
        SERVICE.kind(),
        "metadata",
        Map.of("name", name(endpoint)),
        "spec",
        Map.of("ports", List.of(port), "selector", selector));
  }

  private RenderedObject marked(RenderedObject object) {
    return endpoint(object)
        .map(endpoint -> new RenderedObject(object.kind(), object.name(), marked(object, endpoint)))
        .orElse(object);
  }

  private static Map<String, Object> marked(RenderedObject object, Endpoint endpoint) {
    Map<String, Object> metadata = new HashMap<>();
    if (object.tree().get("metadata") instanceof Map<?, ?> before) {
      before.forEach((name, value) -> metadata.put(String.valueOf(name), value));
    }
    metadata.put("annotations", Map.of(Labels.ENDPOINT, endpoint.text()));
    Map<String, Object> tree = new HashMap<>(object.tree());
    tree.put("metadata", metadata);
    return tree;
  }

  private Optional<Endpoint> endpoint(RenderedObject object) {
    return endpoints().stream()
        .filter(endpoint -> object.kind().equals(SERVICE) && object.name().equals(name(endpoint)))
        .findFirst();
  }

  private String name(Endpoint endpoint) {
    return context.subject().name() + "-" + endpoint.name();
  }
}
