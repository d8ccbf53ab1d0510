package io.middleware.engine.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An engine that serves two namespaces, with the rights that the chart gives it for these. */
@EndToEnd
@Disruptive("starts watcher and worker again, with fewer rights")
class NamespacedE2E {
  private static final List<String> PROCESSES = List.of("watcher", "worker");

  private static Shop shop;
  private static Shop other;
  private static AuditLog audit;

  @BeforeAll
  static void serveTwoNamespaces(Shop own) {
    shop = own;
    other = new Shop();
    PROCESSES.forEach(process -> Engine.dev("stop", process));
    shop.kubectl(rights(), "apply", "-f", "-");
    for (var process : PROCESSES) {
      shop.kubectl("", "delete", "clusterrolebinding", "middleware-" + process);
    }
    audit = AuditLog.fromNow();
    var namespaces = Map.of("ENGINE_NAMESPACES", shop.namespace + "," + other.namespace);
    PROCESSES.forEach(process -> Engine.start(process, namespaces));
  }

  private static String rights() {
    return Chart.render(
        "--set",
        "namespaces={%s,%s}".formatted(shop.namespace, other.namespace),
        "--show-only",
        "templates/rbac/watcher.yaml",
        "--show-only",
        "templates/rbac/worker.yaml");
  }

  @AfterAll
  static void serveAllAgain() {
    try (var closed = other) {
      PROCESSES.forEach(process -> Engine.dev("stop", process));
      var all = Engine.CHECKOUT + "/k8s/base/rendered/rbac";
      Engine.run(List.of("kubectl", "apply", "--server-side", "--force-conflicts", "-k", all));
      PROCESSES.forEach(process -> Engine.dev("start", process));
    }
  }

  @Test
  void shouldServeEachNamespaceAndAskForNothingElsewhere() {
    // When
    for (var each : List.of(shop, other)) {
      each.apply(each.small("one"));
      each.awaitReady("one");
      each.apply(each.small("one").replace("version: \"7.0\"", "version: \"7.2\""));
      each.awaitReady("one");
    }
    // Then
    var requests = audit.requests().stream().filter(AuditLog.Entry::isByEngine).toList();
    assertThat(requests).isNotEmpty().allSatisfy(it -> assertThat(it.code()).isNotIn(401, 403));
    var served = Set.of(shop.namespace, other.namespace, Right.SYSTEM);
    var elsewhere = new TreeSet<String>();
    requests.stream()
        .filter(it -> !it.resource().isEmpty() && !served.contains(it.namespace()))
        .forEach(it -> elsewhere.add(it.verb() + " " + it.resource() + " " + it.name()));
    assertThat(elsewhere)
        .isSubsetOf("get namespaces kube-system", "create selfsubjectaccessreviews ");
  }

  /** What the watcher has read of one namespace must survive what it reads of the other. */
  @Test
  void shouldShowTheHealthOfEachNamespace() {
    for (var each : List.of(shop, other)) {
      each.apply(each.small("two"));
      each.awaitReady("two");
    }
    for (var each : List.of(shop, other)) {
      each.annotatePods("local.middleware.io/crash=true", "two-sentinel-all-0");
      await().untilAsserted(() -> assertThat(each.status("two").ready()).isEqualTo("0/1"));
      each.annotatePods("local.middleware.io/crash-", "two-sentinel-all-0");
      await().untilAsserted(() -> assertThat(each.status("two").ready()).isEqualTo("1/1"));
    }
  }
}
