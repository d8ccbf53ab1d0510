package io.middleware.engine.e2e.chart;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.middleware.engine.api.App;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Temporal;
import io.middleware.engine.e2e.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Values of sensitive parameters stand in the specs and in what the templates make of them, and
 * nowhere else, whatever becomes of a change. Each value of this test contains the same word.
 */
@EndToEnd
class SecretsE2E {
  private static final String CANARY = "canary7f3a";
  private static final String PLUGIN = "vault-v1.0.0";
  private static final String FAULT = "agent.local.middleware.io/fault";

  private final Shop shop;
  private final Temporal temporal;

  SecretsE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  @BeforeEach
  void deploy() {
    shop.apply(
        shop.sample("plugin-redis.yaml")
            .last()
            .replace("name: redis-v1.0.0", "name: " + PLUGIN)
            .replace("  name: redis\n  version: 1.0.0", "  name: vault\n  version: 1.0.0")
            .replace(
                "    - {name: rename-command,",
                "    - {name: admin-pass, type: string, default: none, effect: Hot}\n"
                    + "    - {name: licence, type: string, pattern: \"^[-_ a-z0-9]+$\", effect: Restart,"
                    + " sensitive: true}\n"
                    + "    - {name: seal, type: string, effect: Immutable, sensitive: true}\n"
                    + "    - {name: rename-command,")
            .replace(
                "metadata: {name: \"${name}-config\"}",
                "metadata: {name: \"${name}-config\", labels: {licence: \"${config.licence}\"},"
                    + " annotations: {size: \"${config.licence.startsWith('fail')"
                    + " ? string(int(config.licence)) : ''}\"}}"));
    shop.apply(app("one", "one"));
    shop.awaitReady("cache");
  }

  @AfterEach
  void removePlugin() {
    shop.kubectl("", "delete", "plugin", PLUGIN, "-n", "middleware-system");
  }

  @Test
  void shouldShowNoSecretWhateverBecomesOfAChange() {
    assertNothingShown("after the first deployment");

    shop.apply(app("two", "one"));
    shop.awaitReady("cache");
    assertNothingShown("after a reload");

    shop.apply(app("two", "two"));
    shop.awaitReady("cache");
    assertNothingShown("after a restart");

    shop.apply(app("two", "three").replace("change: {", "change: {approval: Manual, "));
    shop.awaitApp("cache", app -> app.getStatus().plan() != null);
    assertNothingShown("while a plan waits");

    assertRefused(app("two", "UPPER"), "InvalidSpec");
    assertRefused(app("two", "two").replace("seal: " + CANARY, "seal: b" + CANARY), "InvalidSpec");
    assertRefused(app("two", "two").replace("licence: ", "licence: fail"), "TemplateError");
    assertRefused(app("two", "with a blank"), "ObjectRefused");

    shop.apply(app("two", "two"));
    shop.awaitReady("cache");
    refuseReload();
  }

  private void refuseReload() {
    shop.annotatePods(FAULT + "=reload-refused", "-l", "middleware.io/app=cache");
    shop.apply(app("three", "two"));
    var refused =
        shop.awaitApp(
            "cache",
            app ->
                app.getStatus().tasks() != null
                    && app.getStatus().tasks().stream()
                        .anyMatch(task -> "Failed".equals(task.status())));
    assertThat(refused.getStatus().tasks().toString()).contains("admin-pass (not shown)");
    assertNothingShown("after an agent's refusal");
  }

  private void assertRefused(Yaml app, String reason) {
    shop.apply(app);
    var generation = shop.app("cache").getMetadata().getGeneration();
    var refused =
        shop.awaitApp(
            "cache",
            it ->
                generation.equals(it.getStatus().observedGeneration())
                    && accepted(it).getStatus().equals("False"));
    assertThat(accepted(refused).getReason()).isEqualTo(reason);
    assertThat(accepted(refused).getMessage()).contains("(not shown)");
    assertNothingShown("after " + reason);
  }

  private static Condition accepted(App app) {
    return Shop.condition(app, "Accepted").orElseThrow();
  }

  private Yaml app(String password, String licence) {
    return shop.cache()
        .replace("name: redis, version: 1.0.0", "name: vault, version: 1.0.0")
        .replace(
            "values: {maxmemory: 100mb, databases: 16}",
            "values: {admin-pass: %s-%s, seal: %s, licence: %s-%s}"
                .formatted(CANARY, password, CANARY, CANARY, licence));
  }

  private void assertNothingShown(String when) {
    var shown = new LinkedHashMap<String, String>();
    note(shown, "a status", statuses());
    objects(shown);
    histories(shown);
    Stream.of("worker.log", "watcher.log").forEach(log -> note(shown, log, log(log)));
    assertThat(shown).as("what shows a secret " + when).isEmpty();
  }

  private String statuses() {
    return shop.kubectl(
        "",
        "get",
        "apps,components,groups",
        "-n",
        shop.namespace,
        "-o",
        "jsonpath={.items[*].status}");
  }

  private void objects(Map<String, String> shown) {
    shop.client
        .events()
        .v1()
        .events()
        .inNamespace(shop.namespace)
        .list()
        .getItems()
        .forEach(event -> note(shown, "an event", event.getNote()));
    shop.client
        .resources(ControllerRevision.class)
        .inNamespace(shop.namespace)
        .withLabelNotIn("middleware.io/component", "redis-nodes", "sentinel")
        .list()
        .getItems()
        .forEach(
            revision ->
                note(shown, revision.getMetadata().getName(), String.valueOf(revision.getData())));
  }

  private void histories(Map<String, String> shown) {
    Stream.concat(
            temporal.runs(shop.namespace, "cache").stream(),
            temporal
                .list("WorkflowId STARTS_WITH 'app/%s/cache/'".formatted(shop.namespace))
                .stream())
        .map(run -> run.getExecution())
        .forEach(
            run ->
                temporal
                    .client
                    .fetchHistory(run.getWorkflowId(), run.getRunId())
                    .getEvents()
                    .forEach(
                        event ->
                            note(
                                shown,
                                run.getWorkflowId(),
                                new String(event.toByteArray(), ISO_8859_1))));
  }

  private static void note(Map<String, String> shown, String where, String text) {
    var at = text == null ? -1 : text.indexOf(CANARY);
    if (at >= 0) {
      shown.putIfAbsent(
          where, text.substring(Math.max(0, at - 100), Math.min(text.length(), at + 100)));
    }
  }

  private static String log(String name) {
    try {
      return Files.readString(Path.of(Engine.variable("AUDIT_LOG")).resolveSibling(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
