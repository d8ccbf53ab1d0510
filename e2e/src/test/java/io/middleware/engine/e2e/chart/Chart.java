package io.middleware.engine.e2e.chart;

import io.middleware.engine.e2e.Engine;
import java.util.List;
import java.util.stream.Stream;

/** The Helm chart of the checkout. */
final class Chart {
  static final String FOLDER = Engine.CHECKOUT + "/k8s/chart";

  private Chart() {}

  /** What it renders with these options of {@code helm template}; fails with Helm's message. */
  static String render(String... options) {
    var command = Stream.of("helm", "template", "middleware-engine", FOLDER, "-n", Right.SYSTEM);
    return Engine.run(Stream.concat(command, Stream.of(options)).toList());
  }

  /** What it renders with these values of an overlay; with its defaults when the name is empty. */
  static String renderOverlay(String overlay) {
    return overlay.isEmpty()
        ? render()
        : render("--values", folder("overlays/" + overlay) + "/values.yaml");
  }

  /** What {@code kubectl kustomize} makes of a folder of k8s. */
  static String kustomize(String folder) {
    return Engine.run(List.of("kubectl", "kustomize", folder(folder)));
  }

  private static String folder(String path) {
    return Engine.CHECKOUT + "/k8s/" + path;
  }
}
