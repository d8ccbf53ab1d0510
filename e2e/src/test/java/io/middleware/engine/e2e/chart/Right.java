package io.middleware.engine.e2e.chart;

import static java.util.stream.Collectors.toCollection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Engine;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What an account may do, or did.
 *
 * @param namespace the only one where, or {@code *}
 * @param resource with its API group, for example {@code apps/statefulsets}
 */
record Right(String namespace, String resource, String verb) implements Comparable<Right> {
  static final String SYSTEM = "middleware-system";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String EVERYWHERE = "*";

  /** The account that writes in an App's namespace: any. */
  static final String DEPLOYER = ":middleware-deployer";

  static final String WATCHER = "system:serviceaccount:" + SYSTEM + ":middleware-watcher";
  static final String WORKER = "system:serviceaccount:" + SYSTEM + ":middleware-worker";

  /** All users have these by themselves. */
  private static final String SELF = "authorization.k8s.io";

  @Override
  public int compareTo(Right other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return "%s %s in %s".formatted(resource, verb, namespace);
  }

  /** What the roles of this account grant, as they are installed. */
  static Set<Right> granted(String role) {
    return Stream.of(
            rights(EVERYWHERE, "get", "clusterrole", role),
            rights(EVERYWHERE, "get", "clusterrole", role + "-cluster", "--ignore-not-found"),
            rights(SYSTEM, "get", "role", role + "-system", "-n", SYSTEM, "--ignore-not-found"))
        .flatMap(rights -> rights)
        .collect(toCollection(TreeSet::new));
  }

  /** The names of the objects of this kind that the role of this name grants; {@code *}: all. */
  static Set<String> names(String role, String resource) {
    return rules(
            Engine.run(
                List.of("kubectl", "get", "role", role + "-system", "-n", SYSTEM, "-o", "json")))
        .filter(rule -> texts(rule, "resources").anyMatch(resource::equals))
        .flatMap(
            rule ->
                rule.has("resourceNames") ? texts(rule, "resourceNames") : Stream.of(EVERYWHERE))
        .collect(toCollection(TreeSet::new));
  }

  private static Stream<Right> rights(String namespace, String... role) {
    var words = Stream.of(Stream.of("kubectl"), Stream.of(role), Stream.of("-o", "json"));
    return rules(Engine.run(words.flatMap(w -> w).toList()))
        .flatMap(
            rule ->
                texts(rule, "apiGroups")
                    .flatMap(group -> texts(rule, "resources").map(name -> of(group, name)))
                    .flatMap(
                        resource ->
                            texts(rule, "verbs")
                                .map(verb -> new Right(namespace, resource, verb))));
  }

  private static Stream<JsonNode> rules(String role) {
    try {
      return StreamSupport.stream(JSON.readTree(role).path("rules").spliterator(), false);
    } catch (IOException e) {
      throw new IllegalStateException("no role: " + role, e);
    }
  }

  private static Stream<String> texts(JsonNode rule, String list) {
    return StreamSupport.stream(rule.path(list).spliterator(), false).map(JsonNode::asText);
  }

  /**
   * What the account did in its own name; what it did everywhere is not listed for the engine's
   * namespace as well.
   */
  static Set<Right> used(List<AuditLog.Entry> log, String account) {
    var used =
        log.stream()
            .filter(entry -> entry.user().equals(account))
            .filter(entry -> !entry.resource().isEmpty() && !entry.group().equals(SELF))
            .filter(entry -> entry.impersonated().isEmpty())
            .flatMap(Right::used)
            .collect(toCollection(TreeSet::new));
    return used.stream()
        .filter(right -> right.isEverywhere() || !used.contains(right.everywhere()))
        .collect(toCollection(TreeSet::new));
  }

  private boolean isEverywhere() {
    return namespace.equals(EVERYWHERE);
  }

  private Right everywhere() {
    return new Right(EVERYWHERE, resource, verb);
  }

  /** What was done in the name of the accounts that the Apps name. */
  static Set<Right> usedByDeployers(List<AuditLog.Entry> log) {
    return log.stream()
        .filter(entry -> entry.impersonated().endsWith(DEPLOYER))
        .flatMap(Right::used)
        .collect(toCollection(TreeSet::new));
  }

  /** An apply that makes an object is both a patch and a creation. */
  private static Stream<Right> used(AuditLog.Entry entry) {
    var namespace = entry.namespace().equals(SYSTEM) ? SYSTEM : EVERYWHERE;
    var resource = of(entry.group(), entry.resource());
    var verbs =
        entry.verb().equals("patch") && entry.code() == 201
            ? Stream.of("patch", "create")
            : Stream.of(entry.verb());
    return verbs.map(verb -> new Right(namespace, resource, verb));
  }

  private static String of(String group, String resource) {
    return group.isEmpty() ? resource : group + "/" + resource;
  }
}
