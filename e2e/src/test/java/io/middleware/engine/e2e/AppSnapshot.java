package io.middleware.engine.e2e;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;

/** What there is of an App, for whoever looks for the cause of a failure. */
record AppSnapshot(Shop shop, Temporal temporal, String name) {

  /** One short line for each object; never fails. */
  String text() {
    var lines = new ArrayList<String>();
    try {
      addObjects(lines);
      lines.add("open: " + temporal.open(shop.namespace, name));
    } catch (RuntimeException e) {
      lines.add(e.toString());
    }
    return String.join("\n", lines);
  }

  private void addObjects(List<String> lines) {
    var app = shop.app(name);
    if (app != null) {
      lines.add(line(app));
      lines.add(String.valueOf(Shop.condition(app, "Ready").map(ready -> ready.getMessage())));
      lines.add(app.getStatus() == null ? "no status" : String.valueOf(app.getStatus().change()));
    }
    shop.client.apps().statefulSets().inNamespace(shop.namespace).list().getItems().stream()
        .filter(set -> set.getMetadata().getName().startsWith(name + "-"))
        .map(AppSnapshot::line)
        .forEach(lines::add);
    shop.pods(name).forEach(pod -> lines.add(line(pod) + ", " + pod.getStatus().getPhase()));
  }

  private static String line(HasMetadata object) {
    var metadata = object.getMetadata();
    return "%s %s: deleted %s, finalizers %s"
        .formatted(
            object.getKind(),
            metadata.getName(),
            metadata.getDeletionTimestamp(),
            metadata.getFinalizers());
  }
}
