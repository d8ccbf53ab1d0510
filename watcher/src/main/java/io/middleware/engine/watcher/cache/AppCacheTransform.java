package io.middleware.engine.watcher.cache;

import static io.middleware.engine.watcher.cache.ObjectMetaCacheTransform.shared;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.ComponentHealth;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.RunningOperation;
import io.middleware.engine.api.change.ChangeSettings;
import io.middleware.engine.api.change.ChangeSettingsBuilder;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.api.change.PlanStatus;
import java.util.List;

/**
 * Reduces a cached App to its creation time, its desired plugin, runtime, state and replicas, its
 * account, its reaction to a new change, the current change with its run and start, and its health.
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
    return AppSpecBuilder.builder()
        .plugin(ObjectMetaCacheTransform.plugin(spec.plugin()))
        .runtime(ObjectMetaCacheTransform.runtime(spec.runtime()))
        .state(spec.state())
        .paused(spec.paused())
        .components(components(spec.components()))
        .backup(spec.backup())
        .serviceAccountName(shared(spec.serviceAccountName()))
        .restoreFrom(spec.restoreFrom())
        .change(change(spec.change()))
        .uses(spec.uses())
        .build();
  }

  private static ChangeSettings change(ChangeSettings settings) {
    return settings == null
        ? null
        : ChangeSettingsBuilder.builder().onNewChange(settings.onNewChange()).build();
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
    return new ComponentTemplate(shared(template.name()), null, null, groups, null, null);
  }

  private static GroupTemplate group(GroupTemplate template) {
    return new GroupTemplate(shared(template.name()), template.replicas(), null, null, null, null);
  }

  private static AppStatus status(AppStatus status) {
    return AppStatusBuilder.builder()
        .observedGeneration(status.observedGeneration())
        .acceptedGeneration(status.acceptedGeneration())
        .phase(shared(status.phase()))
        .ready(shared(status.ready()))
        .runtime(shared(status.runtime()))
        .change(change(status.change()))
        .operation(operation(status.operation()))
        .plan(plan(status.plan()))
        .backup(status.backup())
        .backupSchedule(status.backupSchedule())
        .components(health(status.components()))
        .endpoints(status.endpoints())
        .usedGenerations(status.usedGenerations())
        .conditions(HealthCacheTransform.conditions(status.conditions()))
        .build();
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
        : ChangeStatusBuilder.builder()
            .generation(change.generation())
            .runId(change.outcome() == null ? change.runId() : null)
            .startedAt(change.outcome() == null ? change.startedAt() : null)
            .completedAt(change.completedAt())
            .outcome(shared(change.outcome()))
            .message(change.message())
            .currentTask(change.currentTask())
            .build();
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
