package io.middleware.engine.planning.validation;

import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.Refusal;
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
    if (desiredApp.catalog().isUpgrade(from, to) || isRevert(deployed, to)) {
      return Stream.empty();
    }
    var same = from.name().equals(to.name());
    return Stream.of(
        "spec.runtime%s: %s runs %s; %s can be upgraded to %s%s"
            .formatted(
                same ? ".version" : "",
                deployed.component(),
                describe(from),
                predecessors(to),
                describe(to),
                same || !desiredApp.catalog().predecessors(to).isEmpty()
                    ? ""
                    : ": create a new App"));
  }

  /** An unfinished upgrade may be reverted. */
  private boolean isRevert(DeployedComponent deployed, RuntimeRef to) {
    return deployed.unfinished().contains(ChangeType.VERSION_UPGRADE)
        && desiredApp.catalog().isUpgrade(to, deployed.spec().runtime());
  }

  private String predecessors(RuntimeRef to) {
    return desiredApp.catalog().predecessors(to).stream()
        .map(from -> from.name().equals(to.name()) ? from.version() : describe(from))
        .reduce((one, other) -> one + ", " + other)
        .map(versions -> "only " + versions)
        .orElse("no version");
  }

  private static String describe(RuntimeRef runtime) {
    return runtime.name() + " " + runtime.version();
  }
}
