package io.middleware.engine.render;

import static java.util.stream.Collectors.toMap;

import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Endpoint;
import io.middleware.engine.api.plugin.EndpointRole;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObjects;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The Services of a group for the applications that use it, and the {@link ConnectionSecrets} to
 * them. One that follows a role has a selector that matches no pod, and the watcher writes the
 * addresses behind it. Without a selector, Kubernetes would leave the addresses that it wrote while
 * the Service led to any pod.
 */
record EndpointServices(ComponentType type, RenderContext context, List<GroupAccount> accounts) {
  private static final ObjectKind SERVICE = new ObjectKind("v1", "Service");

  List<Map<String, Object>> trees() {
    return Stream.of(
            endpoints().stream().map(this::tree).toList(),
            connections().trees(),
            accountSecret().trees())
        .flatMap(List::stream)
        .toList();
  }

  /** The same objects; these say what they are, which no template may. */
  RenderedObjects marked(RenderedObjects objects) {
    var marks =
        endpoints().stream()
            .collect(toMap(endpoint -> name(context, endpoint), endpoint -> marks(endpoint)));
    var services = new ObjectMarks(SERVICE, marks).on(objects);
    return accountSecret().marked(connections().marked(services));
  }

  private Map<String, String> marks(Endpoint endpoint) {
    var marks = new TreeMap<>(Map.of(Labels.ENDPOINT, endpoint.text()));
    connections().name(endpoint).ifPresent(secret -> marks.put(Labels.CONNECTION, secret));
    return marks;
  }

  private ConnectionSecrets connections() {
    return new ConnectionSecrets(type, context, endpoints(), accounts);
  }

  private AccountSecret accountSecret() {
    return new AccountSecret(type.accounts(), context, accounts);
  }

  private List<Endpoint> endpoints() {
    return GroupContext.orEmpty(type.endpoints()).stream()
        .filter(it -> it.tls() == null || context.extras().secrets().containsKey(it.tls()))
        .toList();
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
        Map.of("name", name(context, endpoint)),
        "spec",
        Map.of("ports", List.of(port), "selector", selector));
  }

  static String name(RenderContext context, Endpoint endpoint) {
    return context.subject().name() + "-" + endpoint.name();
  }
}
