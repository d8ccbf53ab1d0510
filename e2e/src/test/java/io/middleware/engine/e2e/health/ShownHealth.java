package io.middleware.engine.e2e.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.e2e.Shop;
import java.util.List;

/** What the App {@code one}, its component and its group show of the health of their one pod. */
record ShownHealth(Shop shop) {

  /** The pod crashes, or no longer does. */
  void crash(boolean crashes) {
    shop.annotatePods("local.middleware.io/crash=" + crashes, "one-sentinel-all-0");
  }

  /** Whether all of them have this status of Ready. */
  boolean allReady(String wanted) {
    var group = shop.client.resources(Group.class).inNamespace(shop.namespace);
    var component = shop.client.resources(Component.class).inNamespace(shop.namespace);
    return isReady(group.withName("one-sentinel-all").get().getStatus().conditions(), wanted)
        && isReady(component.withName("one-sentinel").get().getStatus().conditions(), wanted)
        && isReady(shop.status("one").conditions(), wanted);
  }

  private static boolean isReady(List<Condition> conditions, String wanted) {
    return conditions.stream()
        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals(wanted));
  }
}
