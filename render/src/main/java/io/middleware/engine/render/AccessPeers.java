package io.middleware.engine.render;

import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.access.ClientAccess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The template variable {@code access}: the peers of a NetworkPolicy. No list is empty, as a rule
 * without peers lets everybody in.
 *
 * @param namespace the engine's
 */
record AccessPeers(String namespace) {
  private static final String NAMESPACES = "namespaceSelector";
  private static final String PODS = "podSelector";
  private static final Map<String, Object> ENGINE =
      Map.of("app.kubernetes.io/part-of", "middleware-engine");

  /** Empty where the App lets everybody in. */
  Map<String, Object> of(GroupSpec group) {
    return Optional.ofNullable(group.access())
        .map(access -> peers(access, group.app()))
        .orElse(Map.of());
  }

  private Map<String, Object> peers(ClientAccess access, String app) {
    var own = Map.<String, Object>of(PODS, labels(Map.of(Labels.APP, app)));
    var clients = new ArrayList<Object>(List.of(own));
    client(access).ifPresent(clients::add);
    var engine =
        Map.of(
            NAMESPACES,
            labels(Map.of("kubernetes.io/metadata.name", namespace)),
            PODS,
            labels(ENGINE));
    return Map.of("app", List.of(own), "clients", clients, "engine", List.of(engine));
  }

  private static Optional<Map<String, Object>> client(ClientAccess access) {
    Map<String, Object> peer = new HashMap<>();
    if (access.namespaces() != null) {
      peer.put(NAMESPACES, access.namespaces().selector());
    }
    if (access.pods() != null) {
      peer.put(PODS, access.pods().selector());
    }
    return Optional.of(peer).filter(it -> !it.isEmpty());
  }

  private static Map<String, Object> labels(Map<String, Object> labels) {
    return Map.of("matchLabels", labels);
  }
}
