package io.middleware.engine.e2e.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Node;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The nodes of a shop's only App, as its Groups and the ConfigMap of the namespace show them. */
record ShownNodes(Shop shop, String app) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PRIMARY = "primary";

  /** Each Group knows the role of all its pods, and one of them is the primary. */
  boolean haveOnePrimaryEach() {
    return groups().stream()
        .map(group -> group.getStatus().nodes().stream().map(Node::role).toList())
        .allMatch(
            roles ->
                roles.stream().allMatch(Objects::nonNull)
                    && roles.stream().filter(PRIMARY::equals).count() == 1);
  }

  /** The names of the pods that this Group shows as primary. */
  List<String> primaries(String group) {
    return nodes()
        .filter(node -> node.pod().startsWith(group + "-") && PRIMARY.equals(node.role()))
        .map(Node::pod)
        .toList();
  }

  /** The role that the pod's Group shows, null when it shows none. */
  String role(String pod) {
    return nodes().filter(node -> node.pod().equals(pod)).findFirst().orElseThrow().role();
  }

  /** The ConfigMap says what the statuses do. */
  boolean arePublished() throws JsonProcessingException {
    return published().equals(nodes().map(ShownNodes::visible).collect(Collectors.toSet()));
  }

  /** The ConfigMap no longer has the App's key. */
  boolean areForgotten() {
    return !map().containsKey(app);
  }

  private Set<Node> published() throws JsonProcessingException {
    return JSON.readTree(map().get(app)).findValues("nodes").stream()
        .flatMap(nodes -> StreamSupport.stream(nodes.spliterator(), false))
        .map(ShownNodes::node)
        .collect(Collectors.toSet());
  }

  private static Node node(JsonNode node) {
    return new Node(
        node.path("pod").asText(),
        node.path("address").asText(null),
        node.path("role").asText(null),
        null,
        null);
  }

  /** Of a node, what the ConfigMap shows as well. */
  private static Node visible(Node node) {
    return new Node(node.pod(), node.ip(), node.role(), null, null);
  }

  private Stream<Node> nodes() {
    return groups().stream().flatMap(group -> group.getStatus().nodes().stream());
  }

  private List<Group> groups() {
    return shop.client.resources(Group.class).inNamespace(shop.namespace).list().getItems();
  }

  private Map<String, String> map() {
    var maps = shop.client.configMaps().inNamespace(shop.namespace);
    return Objects.requireNonNullElse(maps.withName(Labels.METADATA).require().getData(), Map.of());
  }
}
