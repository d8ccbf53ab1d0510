package io.middleware.engine.planning.validation;

import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.plugin.RuntimeVersion;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks that the plugin offers the runtime, and an upgrade path to it from the deployed version.
 */
final class RuntimeRules {
  private final DesiredApp desiredApp;

  RuntimeRules(DesiredApp desiredApp) {
    this.desiredApp = desiredApp;
  }

  Optional<Refusal> offer() {
    var ref = desiredApp.spec().plugin();
    var name = desiredApp.plugin().name() + " " + desiredApp.plugin().version();
    if (!ref.name().equals(desiredApp.plugin().name())
        || !ref.version().equals(desiredApp.plugin().version())) {
      return Optional.of(
          new Refusal(
              Reasons.PLUGIN_INVALID,
              "spec.plugin: the Plugin named %s %s declares itself to be %s"
                  .formatted(ref.name(), ref.version(), name)));
    }
    var runtime = desiredApp.spec().runtime();
    return desiredApp.catalog().runtime(runtime).isPresent()
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                Reasons.RUNTIME_NOT_OFFERED,
                "spec.runtime: plugin %s does not offer %s; it offers %s"
                    .formatted(name, describe(runtime), desiredApp.catalog().offered())));
  }

  Optional<Refusal> upgradePath(ObservedApp observedApp) {
    return Refusal.of(
        Reasons.UPGRADE_NOT_ALLOWED,
        desiredApp.components().keySet().stream()
            .flatMap(component -> observedApp.component(component).stream())
            .flatMap(this::problem)
            .toList());
  }

  private Stream<String> problem(DeployedComponent deployed) {
    var from = deployed.spec().runtime();
    var to = desiredApp.spec().runtime();
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
    return desiredApp
        .catalog()
        .runtime(runtime)
        .map(RuntimeVersion::upgradesFrom)
        .orElse(List.of());
  }

  private static String describe(RuntimeRef runtime) {
    return runtime.name() + " " + runtime.version();
  }
}
