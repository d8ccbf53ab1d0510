package io.middleware.engine.activities.checks;

import io.middleware.engine.activities.checks.KubernetesCheckActivities.CheckSources;
import io.middleware.engine.api.App;
import io.middleware.engine.api.check.Check;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.planning.app.CheckCatalog;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.workflows.port.CheckActivities.CheckRequest;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the checks of an App, and how to look at what they are about. */
record CheckLooks(CheckSources sources) {

  /** At the group or component of the request. */
  CheckLook look(CheckRequest request, App app) {
    return look(request, app, Optional.empty());
  }

  /**
   * @param pod the only one that is asked; empty: all of them
   */
  CheckLook look(CheckRequest request, App app, Optional<String> pod) {
    var target = target(request, app, pod);
    return new CheckLook(
        new CheckedPods(sources.client(), sources.view(), sources.agents(), target),
        sources.agents(),
        sources.http(),
        () -> new OwnedObjects(sources.writers().of(app), sources.objects(), target),
        target);
  }

  /** As many as the task has written: later tasks of the edit may bring others. */
  int replicas(CheckRequest request) {
    return sources
        .objects()
        .component(request.task())
        .map(component -> ComponentSpecs.byName(component.getSpec()).values())
        .orElseGet(List::of)
        .stream()
        .filter(group -> request.group().map(group.name()::equals).orElse(true))
        .mapToInt(group -> Objects.requireNonNullElse(group.replicas(), 1))
        .sum();
  }

  private CheckTarget target(CheckRequest request, App app, Optional<String> pod) {
    return new CheckTarget(
        request.task(),
        request.group(),
        pod,
        app.getSpec().runtime(),
        replicas(request),
        AgentQueries.endpoint(plugin(request.task(), app)));
  }

  /** The checks that the request names; the plan has compiled them, too. */
  List<CompiledCheck> compiled(CheckRequest request, App app) {
    return named(request, app).map(CheckLooks::compiled).toList();
  }

  /** The same as they are written. */
  Stream<Check> named(CheckRequest request, App app) {
    return all(request.task(), app).filter(check -> request.names().contains(check.name()));
  }

  /** The checks of the task's component. */
  Stream<Check> all(TaskRef task, App app) {
    return new CheckCatalog(plugin(task, app), app.getSpec()).of(task.component()).stream();
  }

  private PluginSpec plugin(TaskRef task, App app) {
    return sources.plugins().read(task, app.getSpec().plugin());
  }

  static CompiledCheck compiled(Check check) {
    try {
      return CompiledCheck.of(check);
    } catch (IllegalArgumentException e) {
      throw Faults.of(FaultKind.INVALID, "check %s: %s".formatted(check.name(), e.getMessage()));
    }
  }
}
