package io.middleware.engine.activities.plan;

import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.RuntimeRef;
import io.middleware.engine.api.RuntimeVersion;
import io.middleware.engine.api.task.ChangeType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks that the plugin offers the runtime, and an upgrade path to it from the deployed version. */
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
              "spec.plugin: the Plugin named %s %s declares itself to be %s"
                  .formatted(ref.name(), ref.version(), name)));
    }
    var runtime = wanted.spec().runtime();
    return wanted.catalog().runtime(runtime).isPresent()
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                Reasons.RUNTIME_NOT_OFFERED,
                "spec.runtime: plugin %s does not offer %s; it offers %s"
                    .formatted(name, describe(runtime), wanted.catalog().offered())));
  }

  Optional<Refusal> upgradePath(ObservedApp existing) {
    return Refusal.of(
        Reasons.UPGRADE_NOT_ALLOWED,
        wanted.components().keySet().stream()
            .flatMap(component -> existing.component(component).stream())
            .flatMap(this::problem)
            .toList());
  }

  private Stream<String> problem(DeployedComponent deployed) {
    var from = deployed.spec().runtime();
    var to = wanted.spec().runtime();
    if (from.equals(to) || !deployed.everFinished()) {
      return Stream.empty();
    }
    if (!from.name().equals(to.name())) {
      return Stream.of(
          "spec.runtime.name: %s runs %s, which cannot be changed to %s: create a new App"
              .formatted(deployed.component(), describe(from), describe(to)));
    }
    if (isUpgrade(from, to) || isRevert(deployed, to)) {
      return Stream.empty();
    }
    return Stream.of(
        "spec.runtime.version: %s runs %s; %s can be upgraded to %s"
            .formatted(deployed.component(), describe(from), predecessors(to), describe(to)));
  }

  /** An unfinished upgrade may be reverted. */
  private boolean isRevert(DeployedComponent deployed, RuntimeRef to) {
    return deployed.unfinished().contains(ChangeType.VERSION_UPGRADE)
        && isUpgrade(to, deployed.spec().runtime());
  }

  private boolean isUpgrade(RuntimeRef from, RuntimeRef to) {
    return upgradesFrom(to).contains(from.version());
  }

  private String predecessors(RuntimeRef to) {
    var versions = upgradesFrom(to);
    return versions.isEmpty() ? "no version" : "only " + String.join(", ", versions);
  }

  private List<String> upgradesFrom(RuntimeRef runtime) {
    return wanted.catalog().runtime(runtime).map(RuntimeVersion::upgradesFrom).orElse(List.of());
  }

  private static String describe(RuntimeRef runtime) {
    return runtime.name() + " " + runtime.version();
  }
}
