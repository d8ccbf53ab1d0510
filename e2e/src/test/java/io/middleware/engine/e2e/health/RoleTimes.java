package io.middleware.engine.e2e.health;

import static io.middleware.engine.e2e.Stopwatch.secondsUntil;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.Shop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ObjDoubleConsumer;

/**
 * How soon the roles of pods show in the Groups, and what the Groups show in the ConfigMap of the
 * namespace: the usual App is deployed, a primary crashes and comes back, another one changes
 * without a sign at its pod, and the App is deleted.
 */
public final class RoleTimes implements AutoCloseable {
  private static final String APP = "cache";
  private static final String GROUP = "cache-redis-nodes-shard-0";
  private static final String PROMOTED = "cache-redis-nodes-shard-1-2";

  private final ObjDoubleConsumer<String> figures;
  private final Shop shop = new Shop();
  private final ShownNodes shown = new ShownNodes(shop, APP);

  /** From the status to the ConfigMap. */
  private final List<Double> published = new ArrayList<>();

  private RoleTimes(ObjDoubleConsumer<String> figures) {
    this.figures = figures;
  }

  public static void measure(ObjDoubleConsumer<String> figures) {
    try (var times = new RoleTimes(figures)) {
      times.deploy();
      times.crash();
      times.promote();
      figures.accept("P20.metadata", Collections.max(times.published));
      times.spoil();
      times.delete();
    }
  }

  private void deploy() {
    shop.apply(shop.cache());
    secondsUntil("App Ready", this::isReady);
    figures.accept("P20.roles", secondsUntil("one primary each", shown::haveOnePrimaryEach));
    awaitPublished();
  }

  /** Not {@link Shop#awaitReady}, which looks too seldom to begin a measurement. */
  private boolean isReady() {
    var ready = Shop.condition(shop.app(APP), "Ready").orElseThrow();
    return ready.getStatus().equals("True");
  }

  /** The primary's pod is not Ready any more, and then Ready again. */
  private void crash() {
    var crashed = shown.primaries(GROUP).getFirst();
    shop.annotatePods("local.middleware.io/crash=true", crashed);
    figures.accept("P20.role", secondsUntil("another primary", () -> hasSuccessor(crashed)));
    awaitPublished();
    shop.annotatePods("local.middleware.io/crash=false", crashed);
    figures.accept(
        "P20.role.back", secondsUntil("a replica", () -> "replica".equals(shown.role(crashed))));
    awaitPublished();
  }

  private boolean hasSuccessor(String crashed) {
    var primaries = shown.primaries(GROUP);
    return primaries.size() == 1 && !primaries.contains(crashed) && shown.role(crashed) == null;
  }

  /** A failover that no pod shows: only the agents know of it. */
  private void promote() {
    shop.annotatePods("agent.local.middleware.io/promote=true", PROMOTED);
    figures.accept(
        "P20.promoted",
        secondsUntil(
            "the promoted primary",
            () -> shown.role(PROMOTED).equals("primary") && shown.haveOnePrimaryEach()));
    awaitPublished();
  }

  /** Somebody writes something else into the ConfigMap. */
  private void spoil() {
    shop.client
        .configMaps()
        .inNamespace(shop.namespace)
        .withName(Labels.METADATA)
        .edit(map -> new ConfigMapBuilder(map).addToData(APP, "by hand").build());
    figures.accept(
        "P20.metadata.repaired", secondsUntil("the right metadata", shown::arePublished));
  }

  private void delete() {
    shop.client.resources(App.class).inNamespace(shop.namespace).withName(APP).delete();
    secondsUntil("App gone", () -> shop.app(APP) == null);
    figures.accept("P20.metadata.gone", secondsUntil("no metadata", shown::areForgotten));
  }

  private void awaitPublished() {
    published.add(secondsUntil("the metadata", shown::arePublished));
  }

  @Override
  public void close() {
    shop.close();
  }
}
