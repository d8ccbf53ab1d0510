package io.middleware.engine.e2e.health;

import static io.middleware.engine.e2e.Stopwatch.secondsUntil;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.e2e.Shop;
import java.util.function.ObjDoubleConsumer;
import java.util.stream.Stream;

/** How soon the crash of a pod, and its end, show in the status of Group, Component and App. */
public final class HealthTimes {
  private static final String APP = "one";
  private static final String COMPONENT = "one-sentinel";
  private static final String GROUP = "one-sentinel-all";
  private static final String POD = "one-sentinel-all-0";

  private HealthTimes() {}

  public static void measure(ObjDoubleConsumer<String> figures) {
    try (var shop = new Shop()) {
      shop.apply(shop.small(APP));
      shop.awaitReady(APP);
      shop.annotatePods("local.middleware.io/crash=true", POD);
      figures.accept("P20.health", secondsUntil("Ready=False", () -> areAll(shop, "False")));
      shop.annotatePods("local.middleware.io/crash=false", POD);
      figures.accept("P20.health.back", secondsUntil("Ready=True", () -> areAll(shop, "True")));
    }
  }

  private static boolean areAll(Shop shop, String ready) {
    return Stream.of(
            find(shop, Group.class, GROUP).getStatus().conditions(),
            find(shop, Component.class, COMPONENT).getStatus().conditions(),
            shop.status(APP).conditions())
        .allMatch(
            conditions ->
                conditions.stream()
                    .filter(condition -> condition.getType().equals("Ready"))
                    .anyMatch(condition -> condition.getStatus().equals(ready)));
  }

  private static <T extends HasMetadata> T find(Shop shop, Class<T> type, String name) {
    return shop.client.resources(type).inNamespace(shop.namespace).withName(name).require();
  }
}
