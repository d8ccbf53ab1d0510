package io.middleware.engine.watcher.cache;

import static io.middleware.engine.watcher.cache.ObjectMetaCacheTransform.shared;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.ComponentHealth;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.RunningOperation;
import io.middleware.engine.api.change.ChangeSettings;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.change.PlanStatus;
import java.util.List;

/**
 * Reduces a cached App to its creation time, its desired plugin, runtime, state and replicas, its
 * reaction to a new change, the current change with its run and start, and its health.
 */
public final class AppCacheTransform {
  private AppCacheTransform() {}

  public static void reduce(App app) {
    ObjectMetaCacheTransform.reduce(app);
    if (app.getSpec() != null) {
      app.setSpec(spec(app.getSpec()));
    }
    if (app.getStatus() != null) {
      app.setStatus(status(app.getStatus()));
    }
  }

  private static AppSpec spec(AppSpec spec) {
    return new AppSpec(
        ObjectMetaCacheTransform.plugin(spec.plugin()),
        ObjectMetaCacheTransform.runtime(spec.runtime()),
        spec.state(),
        spec.paused(),
        null,
        null,
        components(spec.components()),
        null,
        spec.backup(),
        spec.restoreFrom(),
        change(spec.change()));
  }

  private static ChangeSettings change(ChangeSettings settings) {
    return settings == null
        ? null
        : new ChangeSettings(
            null, null, null, null, null, settings.onNewChange(), null, null, null);
  }

  private static List<ComponentTemplate> components(List<ComponentTemplate> components) {
    return components == null
        ? List.of()
        : components.stream().map(AppCacheTransform::component).toList();
  }

  private static ComponentTemplate component(ComponentTemplate template) {
    var groups =
        template.groups() == null
            ? List.<GroupTemplate>of()
            : template.groups().stream().map(AppCacheTransform::group).toList();
    return new ComponentTemplate(shared(template.name()), null, null, groups, null);
  }

  private static GroupTemplate group(GroupTemplate template) {
    return new GroupTemplate(shared(template.name()), template.replicas(), null, null, null, null);
  }

  private static AppStatus status(AppStatus status) {
    return new AppStatus(
        status.observedGeneration(),
        status.acceptedGeneration(),
        shared(status.phase()),
        shared(status.ready()),
        shared(status.runtime()),
        change(status.change()),
        null,
        null,
        operation(status.operation()),
        plan(status.plan()),
        status.backup(),
        status.backupSchedule(),
        health(status.components()),
        HealthCacheTransform.conditions(status.conditions()));
  }

  private static RunningOperation operation(RunningOperation operation) {
    return operation == null
        ? null
        : new RunningOperation(operation.name(), operation.uid(), null, null, null, null);
  }

  /** Only the generation: enough to know that a plan exists. */
  private static PlanStatus plan(PlanStatus plan) {
    return plan == null ? null : new PlanStatus(plan.generation(), null, null, null, null, null);
  }

  private static ChangeStatus change(ChangeStatus change) {
    return change == null
        ? null
        : new ChangeStatus(
            change.generation(),
            null,
            change.outcome() == null ? change.runId() : null,
            change.outcome() == null ? change.startedAt() : null,
            change.completedAt(),
            shared(change.outcome()),
            change.message(),
            change.currentTask(),
            null,
            null);
  }

  private static List<ComponentHealth> health(List<ComponentHealth> components) {
    return components == null
        ? null
        : components.stream()
            .map(
                component ->
                    new ComponentHealth(
                        shared(component.name()),
                        shared(component.ready()),
                        HealthCacheTransform.groups(component.groups())))
            .toList();
  }
}
