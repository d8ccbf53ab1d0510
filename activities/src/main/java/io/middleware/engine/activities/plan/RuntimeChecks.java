package io.middleware.engine.activities.plan;

import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.RuntimeRef;
import io.middleware.engine.api.RuntimeVersion;
import io.middleware.engine.api.task.ChangeType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether the plugin offers the middleware, and a way to it from what runs now. */
final class RuntimeChecks {
  private final DesiredApp wanted;

  RuntimeChecks(DesiredApp wanted) {
    this.wanted = wanted;
  }

  Optional<Refusal> offer() {
    var ref = wanted.spec().plugin();
    var name = wanted.plugin().name() + " " + wanted.plugin().version();
    if (!ref.name().equals(wanted.plugin().name())
        || !ref.version().equals(wanted.plugin().version())) {
      return Optional.of(
          new Refusal(
              Reasons.PLUGIN_INVALID,
              "spec.plugin: the Plugin named %s %s says of itself that it is %s"
                  .formatted(ref.name(), ref.version(), name)));
    }
    var runtime = wanted.spec().runtime();
    return wanted.catalog().runtime(runtime).isPresent()
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                Reasons.RUNTIME_NOT_OFFERED,
                "spec.runtime: plugin %s does not offer %s; it offers %s"
                    .formatted(name, words(runtime), wanted.catalog().offered())));
  }

  Optional<Refusal> upgradePath(ObservedApp existing) {
    return Refusal.of(
        Reasons.UPGRADE_NOT_ALLOWED,
        wanted.components().keySet().stream()
            .flatMap(component -> existing.component(component).stream())
            .flatMap(this::obstacle)
            .toList());
  }

  private Stream<String> obstacle(DeployedComponent deployed) {
    var from = deployed.spec().runtime();
    var to = wanted.spec().runtime();
    if (from.equals(to) || !deployed.everFinished()) {
      return Stream.empty();
    }
    if (!from.name().equals(to.name())) {
      return Stream.of(
          "spec.runtime.name: %s runs %s, which cannot become %s: create a new App"
              .formatted(deployed.component(), words(from), words(to)));
    }
    if (leads(from, to) || isWayBack(deployed, to)) {
      return Stream.empty();
    }
    return Stream.of(
        "spec.runtime.version: %s runs %s, and %s can only follow %s"
            .formatted(deployed.component(), words(from), words(to), predecessors(to)));
  }

  /** From an upgrade that was begun and not finished one may go back. */
  private boolean isWayBack(DeployedComponent deployed, RuntimeRef to) {
    return deployed.unfinished().contains(ChangeType.VERSION_UPGRADE)
        && leads(to, deployed.spec().runtime());
  }

  private boolean leads(RuntimeRef from, RuntimeRef to) {
    return upgradesFrom(to).contains(from.version());
  }

  private String predecessors(RuntimeRef to) {
    var versions = upgradesFrom(to);
    return versions.isEmpty() ? "no other version" : String.join(", ", versions);
  }

  private List<String> upgradesFrom(RuntimeRef runtime) {
    return wanted.catalog().runtime(runtime).map(RuntimeVersion::upgradesFrom).orElse(List.of());
  }

  private static String words(RuntimeRef runtime) {
    return runtime.name() + " " + runtime.version();
  }
}
