package io.middleware.engine.e2e.change;

import static io.middleware.engine.e2e.Stopwatch.secondsUntil;

import io.middleware.engine.e2e.HangingApp;
import io.middleware.engine.e2e.Shop;
import java.util.function.ObjDoubleConsumer;

/** How soon a corrected edit is in force that supersedes a hanging upgrade. */
public final class OvertakeTimes {
  private static final String FAULT = "local.middleware.io/fault";

  private OvertakeTimes() {}

  /** From the edit until the pod that hung was made again from the corrected template. */
  public static void measure(ObjDoubleConsumer<String> figures) {
    try (var shop = new Shop()) {
      var app = new HangingApp(shop, HangingApp.HANGING, 2).deployed();
      app.upgrade("");
      app.awaitHanging();
      shop.apply(app.fixed("onNewChange: Supersede"));
      figures.accept(
          "P20.overtake",
          secondsUntil("pod of the correction", () -> isCorrected(shop, app.pod(1))));
      shop.awaitReady(HangingApp.NAME);
    }
  }

  private static boolean isCorrected(Shop shop, String pod) {
    var found = shop.client.pods().inNamespace(shop.namespace).withName(pod).require();
    return !found.getMetadata().getAnnotations().containsKey(FAULT);
  }
}
