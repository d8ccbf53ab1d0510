package io.middleware.engine.activities.plan;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.ImpersonatedClients;
import io.middleware.engine.activities.plan.PlanApproval.Proposal;
import io.middleware.engine.activities.render.GroupRenderer;
import io.middleware.engine.activities.status.RunLock;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Plugin;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.PlanningActivities;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Plans from what the API server holds: lock, read, validate, compare, dry-run, record. */
public final class KubernetesPlanningActivities implements PlanningActivities {
  private final RunLock runLock;
  private final ClusterReader cluster;
  private final AppRendering renderings;
  private final ServerSideDryRun rehearsal;
  private final SpecHistory history;
  private final PlanApproval approvals;
  private final Planner planner;

  /**
   * @param client with the engine's own rights
   */
  public KubernetesPlanningActivities(
      KubernetesClient client,
      ClusterReader cluster,
      GroupRenderer renderer,
      ImpersonatedClients writers,
      TaskPolicies policies,
      RunLock runLock) {
    this.runLock = runLock;
    this.cluster = cluster;
    this.renderings = new AppRendering(renderer);
    this.rehearsal = new ServerSideDryRun(writers);
    this.history = new SpecHistory(client);
    this.approvals = new PlanApproval(client, writers);
    this.planner = new Planner(policies);
  }

  @Override
  public PlanAnswer plan(PlanRequest request) {
    return runLock
        .acquire(request.change())
        .map(acquired -> plan(request.change(), acquired.app()).after(acquired.terminated()))
        .orElseGet(PlanAnswer.Gone::new);
  }

  private PlanAnswer plan(ChangeRef change, App app) {
    return app.isMarkedForDeletion() ? teardown(app) : change(change, app);
  }

  private PlanAnswer change(ChangeRef change, App app) {
    try {
      return planned(app, validated(change, app));
    } catch (AppRefusedException e) {
      return new PlanAnswer.Rejected(
          app.getMetadata().getGeneration(), e.refusal().reason(), e.refusal().message());
    }
  }

  private ChangePlan validated(ChangeRef change, App app) {
    var plugin = plugin(app);
    var wanted = new DesiredApp(app.getMetadata().getName(), app.getSpec(), plugin.getSpec());
    var existing = cluster.existing(app, wanted);
    require(AppValidation.refusal(wanted, existing));
    var additions = AppAdditions.of(wanted, existing.components());
    require(Refusal.of(Reasons.INVALID_SPEC, cluster.taken(app, additions)));
    var plan = planner.change(app.getMetadata().getGeneration(), wanted, existing.components());
    var touched =
        plan.tasks().stream()
            .filter(task -> task.type() != ChangeType.REMOVE)
            .map(ChangeTask::component)
            .collect(Collectors.toSet());
    var rendered = renderings.render(app, plugin, wanted.components().values(), touched);
    var growing = growing(plan);
    var claims = growing.isEmpty() ? List.<ExistingClaim>of() : cluster.claims(app);
    var growth = PlannedExpansion.of(rendered, claims);
    require(Refusal.of(Reasons.INVALID_SPEC, growth.problems(wanted, existing, cluster::canGrow)));
    var rehearsed = rehearsal.rehearse(app, rendered, growing);
    history.keep(app);
    var reloads = GroupReloads.of(wanted, existing.components());
    return approvals
        .ask(change, app, wanted, new Proposal(plan, rehearsed, growth, reloads))
        .held(app.isPaused());
  }

  private static Set<String> growing(ChangePlan plan) {
    return plan.tasks().stream()
        .filter(task -> task.type() == ChangeType.STORAGE)
        .map(ChangeTask::component)
        .collect(Collectors.toSet());
  }

  private static PlanAnswer planned(App app, ChangePlan plan) {
    var earlier = EarlierTasks.of(app);
    var stages = earlier.stream().mapToInt(task -> task.task().stage() + 1).max().orElse(0);
    return new PlanAnswer.Planned(plan.after(stages), earlier);
  }

  private Plugin plugin(App app) {
    if (app.getSpec() == null) {
      throw new AppRefusedException(
          Reasons.INVALID_SPEC, "the App cannot be read: " + cluster.why(app));
    }
    return cluster.plugin(app.getSpec().plugin());
  }

  private static void require(Optional<Refusal> refusal) {
    refusal.ifPresent(
        it -> {
          throw new AppRefusedException(it);
        });
  }

  /**
   * Whatever is wrong with the App or its plugin, it can be taken down. By force it is not the
   * App's patience that counts, which may be too short to give anything up.
   */
  private PlanAnswer teardown(App app) {
    var components = cluster.components(app);
    var spec = Optional.ofNullable(app.getSpec()).filter(it -> !app.isDeletedByForce());
    var plugin =
        components.stream()
            .map(Component::getSpec)
            .filter(component -> component != null && component.plugin() != null)
            .map(ComponentSpec::plugin)
            .findFirst()
            .flatMap(cluster::find)
            .map(Plugin::getSpec);
    return planned(
        app, planner.teardown(app.getMetadata().getGeneration(), spec, plugin, names(components)));
  }

  private static List<String> names(List<Component> components) {
    return components.stream()
        .map(component -> component.getMetadata().getLabels().get(Labels.COMPONENT))
        .toList();
  }
}
