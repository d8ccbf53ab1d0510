package io.middleware.engine.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests with which the engine is installed, as the API server takes them. */
@EndToEnd
class ChartE2E {
  /** The API server only takes what is in a namespace that exists, and of a kind that it knows. */
  @BeforeAll
  static void makeNamespacesAndKinds(Shop shop) {
    for (var namespace : List.of("shop", "billing")) {
      var yaml = "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n".formatted(namespace);
      shop.kubectl(yaml, "apply", "-f", "-");
    }
    var crds = Engine.run(List.of(Engine.CHECKOUT + "/dev/lib/foreign-crds")).strip();
    shop.kubectl("", "apply", "--server-side", "--force-conflicts", "-f", crds);
    shop.kubectl("", "wait", "--for=condition=Established", "--timeout=4m", "-f", crds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "prod", "namespaced"})
  void shouldRenderWhatTheApiServerTakes(String overlay, Shop shop) {
    assertThat(accepted(shop, Chart.renderOverlay(overlay)))
        .contains("deployment.apps/middleware-worker", "customresourcedefinition");
  }

  @ParameterizedTest
  @ValueSource(strings = {"base", "overlays/prod", "overlays/namespaced", "overlays/local"})
  void shouldHaveOverlaysThatTheApiServerTakes(String overlay, Shop shop) {
    assertThat(accepted(shop, Chart.kustomize(overlay)))
        .contains("serviceaccount/middleware-worker");
  }

  @Test
  void shouldHaveACertificateOfRedisThatCertManagerUnderstands(Shop shop) throws IOException {
    var sample = Files.readString(Engine.CHECKOUT.resolve("plugins/redis/tls/certificate.yaml"));
    assertThat(accepted(shop, sample)).contains("certificate.cert-manager.io/cache-tls");
  }

  /** Their CRDs say what they understand; none of these programs runs here. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "temporal.apiKey.secretName=key",
        "temporal.tls.enabled=true,temporal.tls.serverName=temporal-frontend,"
            + "temporal.tls.certManager.enabled=true,temporal.tls.certManager.issuer.name=ca"
      })
  void shouldRenderWhatKedaAndCertManagerAndPrometheusUnderstand(String values, Shop shop) {
    // Given
    var secret = !values.isEmpty();
    var certificate = values.contains("certManager");
    // When
    var rendered =
        Chart.render(
            "--set",
            "worker.autoscaling.enabled=true,monitoring.podMonitor.enabled=true,"
                + "monitoring.rules.enabled=true,monitoring.dashboard.enabled=true,"
                + values);
    // Then
    assertThat(accepted(shop, rendered))
        .contains("scaledobject.keda.sh/middleware-worker")
        .contains("podmonitor.monitoring.coreos.com/middleware-engine")
        .contains("prometheusrule.monitoring.coreos.com/middleware-engine")
        .contains("configmap/middleware-engine-dashboard")
        .satisfies(it -> assertThat(it.contains("triggerauthentication")).isEqualTo(secret))
        .satisfies(it -> assertThat(it.contains("certificate.cert-")).isEqualTo(certificate));
  }

  /** A field that the API server does not know is a warning for kubectl, and an error here. */
  private static String accepted(Shop shop, String manifest) {
    return shop.kubectl(
        manifest,
        "apply",
        "--server-side",
        "--force-conflicts",
        "--dry-run=server",
        "--validate=strict",
        "-f",
        "-");
  }

  @Test
  void shouldPassHelmsOwnChecks() {
    assertThat(Engine.run(List.of("helm", "lint", "--strict", Chart.FOLDER)))
        .contains("0 chart(s) failed")
        .doesNotContain("[WARNING]", "[ERROR]");
  }

  @Test
  void shouldKeepWhatIsRenderedInStep() {
    Engine.run(List.of(Engine.CHECKOUT + "/dev/manifests", "--check"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "worker.replica=3",
        "temporal.address=temporal",
        "image.pullPolicy=Sometimes",
        "agents.port=0",
        "namespaces={Shop}",
        "networkPolicy.denyOther=true",
        "worker.env[0].value=x",
        "watcher.env[0].nam=x"
      })
  void shouldRefuseAWrongValueByItsName(String value) {
    assertThatThrownBy(() -> Chart.render("--set", value))
        .hasMessageFindingMatch("(?s) failed: .*" + value.split("[.=]", 2)[0]);
  }

  /** The old version would be gone while runs are pinned to it. */
  @Test
  void shouldRefuseAVersionOfItsOnlyWorkers() {
    assertThatThrownBy(() -> Chart.render("--set", "settings.worker.buildId=2"))
        .hasMessageContaining("use worker.versions, see docs/upgrade.md");
  }

  /** Temporal's worker controller makes the same pods as the Deployment would. */
  @Test
  void shouldHaveTheSamePodsForEachVersionOfTheWorkers() {
    // Given
    var values = "image.registry=example.com,worker.replicas=3,temporal.apiKey.secretName=key";
    // When
    var deployment = worker(values);
    var versions = worker(values + ",worker.versions.enabled=true");
    // Then
    assertThat(versions.get("kind")).isEqualTo("WorkerDeployment");
    assertThat(spec(versions).get("template")).isEqualTo(spec(deployment).get("template"));
    assertThat(spec(versions).get("replicas")).isEqualTo(spec(deployment).get("replicas"));
    assertThat(spec(versions))
        .containsOnlyKeys("replicas", "workerOptions", "rollout", "sunset", "template");
  }

  private static Map<?, ?> worker(String values) {
    var yaml = Chart.render("--set", values, "--show-only", "templates/engine/worker.yaml");
    return Stream.of(yaml.split("(?m)^---$"))
        .filter(document -> document.contains("Deployment\n"))
        .<Map<?, ?>>map(document -> Serialization.unmarshal(document, Map.class))
        .findFirst()
        .orElseThrow();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> spec(Map<?, ?> object) {
    return (Map<String, Object>) object.get("spec");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "worker.autoscaling.enabled=true",
        "temporal.tls.enabled=true,temporal.apiKey.secretName=key"
      })
  void shouldRefuseWhatTheWorkerControllerCannot(String values) {
    assertThatThrownBy(() -> Chart.render("--set", "worker.versions.enabled=true," + values))
        .hasMessageContaining("worker.versions");
  }

  @Test
  void shouldNotAskForACertificateWithoutAnIssuer() {
    var values = "temporal.tls.enabled=true,temporal.tls.certManager.enabled=true";
    assertThatThrownBy(() -> Chart.render("--set", values))
        .hasMessageContaining("temporal.tls.certManager.issuer.name is needed");
  }

  /** What no namespace has: StorageClasses, and the namespace that identifies the cluster. */
  @Test
  void shouldHaveNoRightsOutsideNamedNamespaces() {
    // When
    var documents = List.of(Chart.renderOverlay("namespaced").split("\n---\n"));
    // Then
    var bindings = new TreeMap<String, Integer>();
    documents.stream()
        .filter(document -> document.contains("\nkind: ClusterRoleBinding\n"))
        .map(document -> document.replaceAll("(?s).*metadata: \\{name: ([^,}]*).*", "$1"))
        .forEach(name -> bindings.merge(name, 1, Integer::sum));
    assertThat(bindings)
        .containsOnlyKeys("middleware-watcher-cluster", "middleware-worker-cluster");
    for (var account : List.of("watcher", "worker")) {
      for (var namespace : List.of("shop", "billing")) {
        var metadata = "{name: middleware-%s, namespace: %s}".formatted(account, namespace);
        assertThat(documents.stream().filter(document -> document.contains(metadata))).hasSize(2);
      }
    }
    assertThat(Chart.render("--set", "networkPolicy.enabled=true,namespaces={shop,billing}"))
        .contains("values: [\"shop\",\"billing\"]")
        .doesNotContain("namespaceSelector: {}");
  }

  @Test
  void shouldGiveEachProcessItsVariables() {
    // When
    var rendered =
        Chart.render(
            "--set",
            "watcher.env[0].name=OTEL_EXPORTER_OTLP_ENDPOINT,watcher.env[0].value=http://otel:4318",
            "--set",
            "worker.env[0].name=TOKEN,worker.env[0].valueFrom.secretKeyRef.name=otel",
            "--set",
            "networkPolicy.enabled=true,networkPolicy.egress[0].ports[0].port=4318");
    // Then
    assertThat(rendered)
        .containsOnlyOnce("- name: OTEL_EXPORTER_OTLP_ENDPOINT\n          value: http://otel:4318")
        .containsOnlyOnce("- name: TOKEN\n          valueFrom:")
        .containsOnlyOnce("- port: 4318");
  }

  /** Where the settings or the client profile change, the pods are replaced. */
  @Test
  void shouldReplaceThePodsForOtherSettings() {
    assertThat(hash("--set", "temporal.tls.enabled=true,temporal.tls.serverName=a"))
        .isEqualTo(hash("--set", "temporal.tls.enabled=true,temporal.tls.serverName=a"))
        .isNotEqualTo(hash("--set", "temporal.tls.enabled=true,temporal.tls.serverName=b"))
        .isNotEqualTo(hash());
    assertThat(hash("--set", "settings.keptSpecs=20")).isNotEqualTo(hash());
  }

  private static String hash(String... options) {
    var line = Pattern.compile("middleware.io/settings: \"(\\w+)\"").matcher(Chart.render(options));
    assertThat(line.find()).isTrue();
    return line.group(1);
  }
}
