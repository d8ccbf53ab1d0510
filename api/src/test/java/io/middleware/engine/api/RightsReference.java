package io.middleware.engine.api;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The page that says who may do what, made from the manifests that grant it. */
final class RightsReference {
  private static final Path K8S = Path.of("..", "k8s");
  private static final List<String> FILES =
      List.of(
          "base/rendered/rbac/watcher.yaml",
          "base/rendered/rbac/worker.yaml",
          "base/rendered/rbac/app-writer.yaml",
          "base/rendered/rbac/people.yaml",
          "samples/shop.yaml");
  private static final String HEAD =
      """
      # Rights

      <!-- generated from k8s/base/rendered/rbac and k8s/samples/shop.yaml by RightsReferenceTest; do not edit -->

      Who may do what, as `kubectl auth can-i --list` prints it, without what every account may. The group of a resource is behind the first dot.
      The namespace `shop` is that of [a team](../install.md#a-team-and-its-first-app). With the value `namespaces` of the chart, rights in all
      namespaces become rights in [those only](../install.md#in-named-namespaces-only). Why each right is needed is said in `k8s/chart/templates/rbac`.
      """;
  private static final String TABLE =
      "\n| where | resource | only these | verbs |\n|---|---|---|---|\n";

  private final List<JsonNode> objects = new ArrayList<>();

  private RightsReference() throws IOException {
    var yaml = new YAMLMapper().readerFor(JsonNode.class);
    for (var file : FILES) {
      try (var documents = yaml.<JsonNode>readValues(K8S.resolve(file).toFile())) {
        documents.forEachRemaining(objects::add);
      }
    }
  }

  static String page() throws IOException {
    var rights = new RightsReference();
    return HEAD
        + rights.ofAccount("Watcher", "middleware-watcher", "")
        + rights.ofAccount("Worker", "middleware-worker", "")
        + rights.ofAccount(
            "Account of an App",
            "middleware-deployer",
            " The worker acts as this account where it writes what a Plugin renders.")
        + rights.ofPeople("view", "")
        + rights.ofPeople(
            "operate", " Its patch changes annotations only: a policy of the API server checks it.")
        + rights.ofPeople("edit", "")
        + rights.ofPeople(
            "test", " A test acts as an account of the namespace that the engine may impersonate.");
  }

  private String ofAccount(String title, String account, String purpose) {
    var text = "\n## %s\n\nThe service account `%s`.%s\n".formatted(title, account, purpose);
    var rows =
        objects.stream()
            .filter(it -> it.at("/subjects/0/name").asText().equals(account))
            .flatMap(binding -> rows(where(binding), role(binding.at("/roleRef"))));
    return text + TABLE + rows.collect(joining());
  }

  private String ofPeople(String role, String limit) {
    var name = "middleware-" + role;
    var text =
        "\n## People who %s\n\nThe cluster role `%s`, bound in the namespaces of their Apps.%s\n"
            .formatted(role, name, limit);
    return text + TABLE + rows("where it is bound", role("ClusterRole", name)).collect(joining());
  }

  private JsonNode role(JsonNode reference) {
    return role(reference.path("kind").asText(), reference.path("name").asText());
  }

  private JsonNode role(String kind, String name) {
    return objects.stream()
        .filter(it -> it.path("kind").asText().equals(kind))
        .filter(it -> it.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no %s %s".formatted(kind, name)));
  }

  private static String where(JsonNode binding) {
    if (binding.path("kind").asText().equals("RoleBinding")) {
      return "`" + binding.at("/metadata/namespace").asText() + "`";
    }
    var isOfTheCluster = binding.at("/roleRef/name").asText().endsWith("-cluster");
    return isOfTheCluster ? "the cluster" : "all namespaces";
  }

  /** One row for each resource and each list of names, with the verbs of all rules. */
  private static Stream<String> rows(String where, JsonNode role) {
    var rows = new TreeMap<String, SequencedSet<String>>(comparing(row -> row.replace("`", "")));
    for (var rule : role.path("rules")) {
      var names = texts(rule, "resourceNames").map(RightsReference::code).collect(joining(", "));
      var verbs = texts(rule, "verbs").toList();
      texts(rule, "apiGroups")
          .flatMap(group -> texts(rule, "resources").map(resource -> resource(resource, group)))
          .map(resource -> "| %s | %s | %s |".formatted(where, code(resource), names))
          .forEach(row -> rows.computeIfAbsent(row, any -> new LinkedHashSet<>()).addAll(verbs));
    }
    return rows.entrySet().stream()
        .map(row -> "%s %s |\n".formatted(row.getKey(), String.join(", ", row.getValue())));
  }

  /** As kubectl writes it: the group stands before a subresource. */
  private static String resource(String name, String group) {
    return group.isEmpty() ? name : name.replaceFirst("(/|$)", "." + group + "$1");
  }

  private static String code(String text) {
    return "`" + text + "`";
  }

  private static Stream<String> texts(JsonNode rule, String list) {
    return StreamSupport.stream(rule.path(list).spliterator(), false).map(JsonNode::asText);
  }
}
