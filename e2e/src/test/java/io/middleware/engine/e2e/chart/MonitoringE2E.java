package io.middleware.engine.e2e.chart;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.Status;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the chart has for Prometheus, Grafana and KEDA fits what the processes really export. */
@EndToEnd
class MonitoringE2E {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TEMPLATES = "templates/monitoring/";
  private static final Pattern METRIC =
      Pattern.compile("\\b(?:middleware|temporal|jvm|logback)_[a-z_]+");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|=)\"((?:\\\\.|[^\"\\\\])*)\"");

  /** Exported from the first failure on; FailureE2E and others make them. */
  private static final Set<String> OF_FAILURES =
      Set.of(
          "temporal_long_request_failure_total", "temporal_workflow_task_execution_failed_total");

  private static String metrics;

  /**
   * One change that is carried out, with a pod that is replaced, and one that is rejected. A change
   * is counted a little after the status says how it ended.
   */
  @BeforeAll
  static void live(Shop shop) {
    shop.apply(shop.small("one"));
    shop.awaitReady("one");
    shop.apply(shop.small("one").replace("version: \"7.0\"", "version: \"7.2\""));
    shop.awaitReady("one");
    shop.apply(shop.small("unwanted").replace("version: 1.0.0", "version: 9.9.9"));
    shop.awaitApp("unwanted", app -> Shop.condition(app, "Accepted").isPresent());
    await("all that is asked for is exported")
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              metrics =
                  Engine.metrics(Engine.variable("WORKER_URL"))
                      + Engine.metrics(Engine.variable("WATCHER_URL"));
              assertThat(asked()).hasSizeGreaterThan(10).isSubsetOf(found(METRIC, metrics));
            });
  }

  /** By alerts and dashboard, but for what only failures make. */
  private static Set<String> asked() throws IOException {
    var asked = found(METRIC, String.join("\n", queries().toList()));
    asked.removeAll(OF_FAILURES);
    return asked;
  }

  private static JsonNode render(String file, String values) {
    var yaml = Chart.render("--set", values, "--show-only", file);
    return JSON.valueToTree(
        Serialization.unmarshal(yaml.replaceFirst("(?s)^---\n", ""), Object.class));
  }

  private static JsonNode rules() {
    return render(TEMPLATES + "rules.yaml", "monitoring.rules.enabled=true")
        .at("/spec/groups/0/rules");
  }

  private static JsonNode dashboard() throws IOException {
    var map = render(TEMPLATES + "dashboard.yaml", "monitoring.dashboard.enabled=true");
    return JSON.readTree(map.path("data").path("middleware-engine.json").asText());
  }

  private static Stream<String> queries() throws IOException {
    return Stream.concat(
        rules().findValuesAsText("expr").stream(), dashboard().findValuesAsText("expr").stream());
  }

  @Test
  void shouldAskForMetricsThatAreExported() throws IOException {
    assertThat(asked()).isSubsetOf(found(METRIC, metrics));
    for (var metric : OF_FAILURES) {
      assertThat(names()).as("a counter of the code").contains(metric);
    }
  }

  /** Of the counters that are not exported yet: from the reference, and from Temporal's client. */
  private static Set<String> names() throws IOException {
    var reference = Files.readString(Engine.CHECKOUT.resolve("docs/reference/metrics.md"));
    var own =
        Pattern.compile("(?m)^\\| `(middleware_\\w+)`")
            .matcher(reference)
            .results()
            .map(it -> it.group(1));
    var client =
        Stream.of(
                io.temporal.serviceclient.MetricsType.TEMPORAL_LONG_REQUEST_FAILURE,
                io.temporal.worker.MetricsType.WORKFLOW_TASK_EXECUTION_FAILURE_COUNTER)
            .map(name -> name + "_total");
    return Stream.concat(own, client).collect(toCollection(TreeSet::new));
  }

  /** An alert on a label that nobody sets would never fire. */
  @Test
  void shouldSelectByLabelsThatAreExported() {
    for (var expression : rules().findValuesAsText("expr")) {
      MATCHER
          .matcher(expression)
          .results()
          .filter(matcher -> !matcher.group(1).equals("namespace"))
          .filter(matcher -> !isStatusCode(matcher))
          .forEach(
              matcher ->
                  assertThat(metrics)
                      .containsPattern(
                          "\\b%s=\"%s\"".formatted(matcher.group(1), matcher.group(3))));
    }
  }

  /** Exported from the first failure on. */
  private static boolean isStatusCode(MatchResult matcher) {
    return matcher.group(1).equals("status_code")
        && Stream.of(Status.Code.values()).anyMatch(it -> it.name().equals(matcher.group(3)));
  }

  /** The anchor of a heading in Markdown is the heading in lower case. */
  @Test
  void shouldNameARunbookForEachAlert() throws IOException {
    // Given
    var headings =
        Files.readAllLines(Engine.CHECKOUT.resolve("docs/operations/alerts.md")).stream()
            .filter(line -> line.startsWith("## "))
            .map(line -> line.substring(3))
            .toList();
    // When
    var alerts = rules().findValuesAsText("alert");
    var runbooks = rules().findValuesAsText("runbook_url");
    // Then
    assertThat(alerts).containsExactlyInAnyOrderElementsOf(headings);
    assertThat(runbooks)
        .containsExactlyElementsOf(
            alerts.stream()
                .map(alert -> "docs/operations/alerts.md#" + alert.toLowerCase(Locale.ROOT))
                .toList());
  }

  @Test
  void shouldScrapeThePodsOfBothProcesses() {
    var monitor = render(TEMPLATES + "podmonitor.yaml", "monitoring.podMonitor.enabled=true");
    var endpoint = monitor.at("/spec/podMetricsEndpoints/0");
    for (var process : Set.of("watcher", "worker")) {
      var pods =
          render("templates/engine/" + process + ".yaml", "monitoring.podMonitor.enabled=true")
              .at("/spec/template");
      assertThat(pods.at("/metadata/labels").properties())
          .containsAll(monitor.at("/spec/selector/matchLabels").properties());
      assertThat(pods.at("/spec/containers/0/ports/0/name").asText())
          .isEqualTo(endpoint.path("port").asText());
      assertThat(pods.at("/metadata/annotations").has("prometheus.io/scrape")).isFalse();
    }
  }

  @Test
  void shouldScaleByTheQueuesThatWorkersPoll() {
    // Given
    var values = "worker.autoscaling.enabled=true";
    var scaling = render("templates/engine/autoscaling.yaml", values);
    // When
    var queues = new TreeSet<>(scaling.findValuesAsText("taskQueue"));
    // Then
    var polled = Pattern.compile("temporal_num_pollers\\{[^}]*task_queue=\"([^\"]+)\"");
    assertThat(queues)
        .isEqualTo(
            polled
                .matcher(metrics)
                .results()
                .map(m -> m.group(1))
                .collect(toCollection(TreeSet::new)));
    var worker = render("templates/engine/worker.yaml", values);
    assertThat(scaling.at("/spec/scaleTargetRef/name")).isEqualTo(worker.at("/metadata/name"));
    assertThat(worker.path("spec").has("replicas")).as("left to KEDA").isFalse();
    var named = render("templates/engine/autoscaling.yaml", values + ",settings.cluster=west");
    assertThat(named.findValuesAsText("taskQueue")).contains("west/engine", "west/engine-wait");
  }

  @Test
  void shouldNeedNoKindOfOthersByDefault() {
    assertThat(found(Pattern.compile("(?m)^apiVersion: .*"), Chart.render()))
        .allMatch(version -> !version.contains("coreos") && !version.contains("keda"))
        .allMatch(version -> !version.contains("cert-manager") && !version.contains("temporal"));
  }

  @Test
  void shouldHaveAPanelForEachQuery() throws IOException {
    var panels = dashboard().path("panels");
    assertThat(
            StreamSupport.stream(panels.spliterator(), false).map(panel -> panel.path("gridPos")))
        .hasSizeGreaterThan(8)
        .doesNotHaveDuplicates();
    assertThat(dashboard().findValuesAsText("expr"))
        .allMatch(query -> query.contains("$namespace"));
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group())
        .collect(toCollection(TreeSet::new));
  }
}
