package io.middleware.engine.watcher;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.change.ChangeSettingsBuilder;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.api.change.NewEditPolicy;
import io.middleware.engine.api.change.PlanStatus;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.plugin.PluginRef;
import java.util.List;
import java.util.Map;

/** Objects of the App shop/cache, as the API server would send them. */
public final class Objects {
  private Objects() {}

  public static App app(long generation) {
    var app = new App();
    app.setMetadata(meta("cache", generation, Map.of()));
    app.setSpec(spec(RunState.RUNNING));
    return app;
  }

  public static App app(long generation, AppStatus status) {
    var app = app(generation);
    app.setStatus(status);
    return app;
  }

  /** Its status shows a plan. */
  public static App awaiting(App app) {
    var status = app.getStatus();
    app.setStatus(
        AppStatusBuilder.builder()
            .observedGeneration(status.observedGeneration())
            .acceptedGeneration(status.acceptedGeneration())
            .change(status.change())
            .plan(new PlanStatus(app.getMetadata().getGeneration(), null, null, null, null, null))
            .build());
    return app;
  }

  public static App paused(App app) {
    app.setSpec(AppSpecBuilder.builder().paused(true).build());
    return app;
  }

  public static App deleted(App app) {
    app.getMetadata().setDeletionTimestamp("2026-11-21T10:00:00Z");
    return app;
  }

  public static AppSpec spec(RunState state) {
    return spec(state, 3);
  }

  public static AppSpec spec(RunState state, int replicas) {
    var shard = new GroupTemplate("shard-0", replicas, null, null, null, null);
    var component = new ComponentTemplate("nodes", null, null, List.of(shard), null, null);
    return AppSpecBuilder.builder()
        .plugin(new PluginRef("redis", "1.0.0"))
        .state(state)
        .components(List.of(component))
        .build();
  }

  /** The same App, whose spec says so. */
  public static App carriedOut(App app, Boolean paused, NewEditPolicy onNewChange) {
    var spec = app.getSpec();
    var settings = ChangeSettingsBuilder.builder().onNewChange(onNewChange).build();
    app.setSpec(
        AppSpecBuilder.builder()
            .plugin(spec.plugin())
            .state(spec.state())
            .paused(paused)
            .components(spec.components())
            .change(onNewChange == null ? null : settings)
            .build());
    return app;
  }

  /** What the worker's part of a status says. */
  public static AppStatus status(Long observed, Long accepted, ChangeStatus change) {
    return AppStatusBuilder.builder()
        .observedGeneration(observed)
        .acceptedGeneration(accepted)
        .change(change)
        .build();
  }

  /** The same with its tasks. */
  public static AppStatus status(long generation, ChangeStatus change, List<TaskStatus> tasks) {
    return AppStatusBuilder.builder()
        .observedGeneration(generation)
        .acceptedGeneration(generation)
        .change(change)
        .tasks(tasks)
        .build();
  }

  public static TaskStatus task(String id, String status) {
    return new TaskStatus(
        id, null, null, null, null, null, status, null, null, null, null, null, null, null, null);
  }

  public static AppStatus status(AppStatus worker, List<Condition> conditions) {
    return AppStatusBuilder.builder()
        .observedGeneration(worker.observedGeneration())
        .acceptedGeneration(worker.acceptedGeneration())
        .change(worker.change())
        .conditions(conditions)
        .build();
  }

  public static ChangeStatus change(long generation, String outcome) {
    return ChangeStatusBuilder.builder()
        .generation(generation)
        .runId("run-1")
        .outcome(outcome)
        .build();
  }

  public static ChangeStatus running(long generation, String task) {
    return ChangeStatusBuilder.builder()
        .generation(generation)
        .runId("run-1")
        .currentTask(task)
        .build();
  }

  public static Component component(String name, long generation) {
    return component(name, generation, "1.0.0");
  }

  public static Component component(String name, long generation, String pluginVersion) {
    var component = new Component();
    component.setMetadata(meta("cache-" + name, generation, Map.of(Labels.COMPONENT, name)));
    component.setSpec(
        new ComponentSpec(
            null,
            null,
            null,
            new PluginRef("redis", pluginVersion),
            null,
            RunState.RUNNING,
            null,
            null,
            null,
            null));
    return component;
  }

  public static Component unfinished(Component component) {
    component.getMetadata().setAnnotations(Map.of(Labels.UNFINISHED, "VersionUpgrade"));
    return component;
  }

  public static Group group(String component, String name, int replicas, RunState state) {
    var group = new Group();
    group.setMetadata(
        meta(
            "cache-" + component + "-" + name,
            1,
            Map.of(Labels.COMPONENT, component, Labels.GROUP, name)));
    group.setSpec(
        new GroupSpec(
            null,
            null,
            null,
            null,
            new PluginRef("redis", "1.0.0"),
            null,
            state,
            replicas,
            null,
            null,
            null,
            null,
            null,
            null));
    return group;
  }

  public static PodBuilder pod(String component, String group, String name) {
    return new PodBuilder()
        .withMetadata(
            meta(
                name,
                1,
                Map.of(
                    Labels.COMPONENT,
                    component,
                    Labels.GROUP,
                    group,
                    "controller-revision-hash",
                    "r1")))
        .withNewStatus()
        .withPhase("Running")
        .withPodIP("10.0.0.1")
        .endStatus();
  }

  public static Pod ready(PodBuilder pod) {
    return pod.editStatus()
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
  }

  public static Pod crashed(PodBuilder pod) {
    return pod.editStatus()
        .addNewCondition()
        .withType("Ready")
        .withStatus("False")
        .endCondition()
        .addNewContainerStatus()
        .withNewState()
        .withNewWaiting()
        .withReason("CrashLoopBackOff")
        .endWaiting()
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }

  private static ObjectMeta meta(String name, long generation, Map<String, String> labels) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace("shop")
        .withUid("uid-" + name)
        .withCreationTimestamp("2026-11-20T10:00:00Z")
        .withGeneration(generation)
        .withLabels(labels)
        .build();
  }
}
