package io.middleware.engine.planning.validation;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DeployedGroup;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.NoWayBack;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Refuses an edit that goes back to a version whose software cannot be expected to read what a
 * later one has written.
 */
final class NoWayBackRules {
  private final DesiredApp desiredApp;
  private final ObservedApp observedApp;

  NoWayBackRules(DesiredApp desiredApp, ObservedApp observedApp) {
    this.desiredApp = desiredApp;
    this.observedApp = observedApp;
  }

  /** What a Plugin says of its own versions must not contradict itself. */
  static List<String> problems(PluginSpec plugin) {
    var catalog = new PluginCatalog(plugin);
    return catalog.runtimes().stream()
        .flatMap(
            version ->
                catalog.noWayBackTo(version).stream()
                    .filter(back -> catalog.isUpgrade(version, back))
                    .map(
                        back ->
                            "Plugin %s %s: runtimes[%s].versions[%s].noWayBackTo: there is no way back to %s, whose upgradesFrom names %s: remove one of the two"
                                .formatted(
                                    plugin.name(),
                                    plugin.version(),
                                    version.name(),
                                    version.version(),
                                    NoWayBack.name(back),
                                    NoWayBack.name(version))))
        .toList();
  }

  Optional<Refusal> refusal() {
    return Refusal.of(
        Reasons.NO_WAY_BACK,
        desiredApp.components().values().stream()
            .flatMap(
                desired ->
                    observedApp.component(desired.component()).stream()
                        .flatMap(deployed -> problems(deployed, desired)))
            .toList());
  }

  private Stream<String> problems(DeployedComponent deployed, ComponentSpec desired) {
    var was = deployed.spec();
    var runtime =
        was.runtime().equals(desired.runtime())
            ? Optional.<String>empty()
            : runtime(deployed, desired.runtime());
    var plugin =
        was.plugin().equals(desired.plugin())
            ? Optional.<String>empty()
            : behind(deployed, NoWayBack.name(desired.plugin()));
    return Stream.concat(
        runtime
            .map(why -> problem("runtime", deployed, NoWayBack.name(desired.runtime()), why))
            .stream(),
        plugin
            .map(why -> problem("plugin", deployed, NoWayBack.name(desired.plugin()), why))
            .stream());
  }

  private static String problem(String field, DeployedComponent deployed, String to, String why) {
    return "spec.%s.version: %s cannot go back to %s: %s; keep the version or set a later one, or restore a backup from before into a new App"
        .formatted(field, deployed.component(), to, why);
  }

  private Optional<String> runtime(DeployedComponent deployed, RuntimeRef to) {
    return behind(deployed, NoWayBack.name(to))
        .or(() -> begun(deployed, to))
        .or(
            () ->
                deployed.groups().entrySet().stream()
                    .filter(group -> isBehind(deployed, group.getValue(), to))
                    .map(
                        group ->
                            "group %s has started with %s, from which there is no way back"
                                .formatted(
                                    group.getKey(),
                                    NoWayBack.name(group.getValue().runtime().orElseThrow())))
                    .sorted()
                    .findFirst());
  }

  private static Optional<String> behind(DeployedComponent deployed, String version) {
    return Optional.ofNullable(deployed.noWayBack().behind().get(version));
  }

  /** Without its final hook, an unfinished upgrade may be reverted. */
  private Optional<String> begun(DeployedComponent deployed, RuntimeRef to) {
    return deployed.isBeingUpgraded()
            && !desiredApp.catalog().isUpgrade(deployed.spec().runtime(), to)
        ? deployed.noWayBack().upgradeHook()
        : Optional.empty();
  }

  /** By the Plugin with which the group was rendered, and by the one that the App names now. */
  private boolean isBehind(DeployedComponent deployed, DeployedGroup group, RuntimeRef to) {
    return deployed.everFinished()
        && (group.started() || !deployed.isBeingUpgraded())
        && group.runtime().stream()
            .anyMatch(
                now ->
                    Stream.concat(group.plugin().stream(), Stream.of(desiredApp.plugin()))
                        .map(PluginCatalog::new)
                        .anyMatch(catalog -> catalog.noWayBackTo(now).contains(to)));
  }
}
