package io.middleware.engine.planning;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.runlock.RunLock;
import io.middleware.engine.cluster.runlock.RunLocks;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.status.UsesStatusWriter;
import io.middleware.engine.planning.PlanApproval.Proposal;
import io.middleware.engine.planning.app.AppAdditions;
import io.middleware.engine.planning.app.AppRefusedException;
import io.middleware.engine.planning.app.AppRendering;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.PlannedReloads;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.planning.condition.EndpointPolicy;
import io.middleware.engine.planning.derived.UsedApps;
import io.middleware.engine.planning.validation.AppValidation;
import io.middleware.engine.planning.validation.BackupRules;
import io.middleware.engine.planning.validation.EditedAgents;
import io.middleware.engine.planning.validation.StorageRules;
import io.middleware.engine.render.GroupRenderer;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.PlanningActivities;
import io.middleware.engine.workflows.port.Work.Edit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plans from what the API server holds: lock, read, validate, compare, dry-run, record. */
public final class KubernetesPlanningActivities implements PlanningActivities {
  /** On an object whose dependents the garbage collector is to leave behind. */
  private static final String ORPHAN = "orphan";

  private final RunLock runLock;
  private final OperationPlanning operations;
  private final ClusterReader cluster;
  private final Plugins plugins;
  private final AppRendering rendering;
  private final ServerSideDryRun dryRun;
  private final SpecHistory history;
  private final PlanApproval approvals;
  private final AppDependencies dependencies;
  private final PlannedSecrets appSecrets;
  private final UsedApps usedApps;
  private final UsesStatusWriter usesStatus;
  private final Planner planner;
  private final SensitiveValues secrets;
  private final EndpointPolicy endpoints;

  /**
   * @param client with the engine's own rights
   * @param secrets are not quoted by a refusal
   * @param heartbeat receives the progress of a plan
   */
  public KubernetesPlanningActivities(
      KubernetesClient client,
      ClusterReader cluster,
      GroupRenderer renderer,
      ImpersonatedClients writers,
      PlanningPolicy policy,
      RunLocks runLocks,
      SensitiveValues secrets,
      Consumer<String> heartbeat) {
    this.runLock = runLocks.changes();
    this.secrets = secrets;
    this.endpoints = policy.endpoints();
    this.cluster = cluster;
    this.plugins = cluster.plugins();
    this.rendering = new AppRendering(renderer);
    this.dryRun = new ServerSideDryRun(writers, heartbeat);
    this.history = new SpecHistory(client, policy.keptSpecs());
    this.approvals = new PlanApproval(client, writers);
    this.dependencies = new AppDependencies(client, writers);
    this.appSecrets = new PlannedSecrets(new AppSecrets(writers));
    this.usedApps = new UsedApps(client, plugins);
    this.usesStatus = new UsesStatusWriter(client);
    this.planner = new Planner(policy.tasks());
    this.operations =
        new OperationPlanning(
            runLocks, cluster, plugins, rendering, dryRun, history, planner, secrets);
  }

  @Override
  public PlanAnswer plan(PlanRequest request) {
    return switch (request.change().work()) {
      case Edit edit -> planChange(request);
      case OperationRef operation -> operations.plan(request.change());
    };
  }

  private PlanAnswer planChange(PlanRequest request) {
    return runLock
        .acquire(request.change(), request.continued())
        .map(acquired -> plan(request.change(), acquired.app()).after(acquired.terminated()))
        .orElseGet(PlanAnswer.Gone::new);
  }

  private PlanAnswer plan(ChangeRef change, App app) {
    try {
      return app.isMarkedForDeletion() ? teardown(app) : change(change, app);
    } catch (AppRefusedException e) {
      return new PlanAnswer.Rejected(
          app.getMetadata().getGeneration(),
          e.refusal().reason(),
          secrets.hide(app.getMetadata().getUid(), e.refusal().message()));
    }
  }

  private PlanAnswer change(ChangeRef change, App app) {
    var used = usedApps.generations(app);
    var plan = validated(change, app);
    usesStatus.show(change, app, used);
    return planned(app, plan);
  }

  private DesiredApp asked(App app, Plugin plugin) {
    return new DesiredApp(app.getMetadata().getName(), app.specToDeploy(), plugin.getSpec())
        .deriving(usedApps.of(app));
  }

  private ChangePlan validated(ChangeRef change, App app) {
    var plugin = plugin(app);
    var revision = plugins.revision(plugin);
    plugin.setSpec(plugins.read(revision));
    var asked = asked(app, plugin);
    var sensitive = remember(app, asked);
    var observedApp = cluster.observe(app, asked);
    var once = rendering.forOnePlan();
    validate(app, asked, observedApp, once);
    var desiredApp = appSecrets.into(app, asked);
    var deployed = observedApp.components();
    var backup = new PlannedBackup(desiredApp, deployed, isBackedUp(app));
    require(Refusal.of(Reasons.INVALID_SPEC, backup.problems()));
    var more = backup.change().stream().toList();
    var bySpecs = new WrittenComponents(plan(app, desiredApp, deployed, more.stream()));
    var rendered = once.render(app, plugin, observedApp.keepingRestarts(desiredApp), bySpecs.all());
    var reused = reused(app, desiredApp, deployed, rendered);
    var larger = larger(desiredApp, observedApp, rendered);
    Predicate<String> canExpand = cluster.volumes()::canExpand;
    var byTemplates = larger.byTemplates(desiredApp, bySpecs.rewritten(), canExpand);
    var plan = plan(app, desiredApp, deployed, Stream.concat(more.stream(), byTemplates.stream()));
    var written = new WrittenComponents(plan);
    var expansion = larger.in(written.growing());
    require(
        Refusal.of(Reasons.INVALID_SPEC, expansion.problems(desiredApp, observedApp, canExpand)));
    var dryRunObjects = dryRun.run(app, rendered, written.replacing(deployed));
    history.keep(app, sensitive);
    plugins.keep(plugin, revision);
    var proposal =
        new Proposal(
            dependencies.into(reused.into(plan), app, plugin, once.backups()),
            dryRunObjects,
            expansion,
            PlannedReloads.of(desiredApp, deployed),
            unfinished(deployed),
            ComponentDiff.values(desiredApp, deployed));
    return approvals.ask(change, app, desiredApp, proposal).held(app.isPaused()).with(revision);
  }

  private static Set<String> unfinished(List<DeployedComponent> deployed) {
    return deployed.stream()
        .filter(component -> !component.unfinished().isEmpty())
        .map(DeployedComponent::component)
        .collect(Collectors.toSet());
  }

  private ChangePlan plan(
      App app,
      DesiredApp desiredApp,
      List<DeployedComponent> deployed,
      Stream<PlannedChange> more) {
    return planner.checked(
        planner.change(app.getMetadata().getGeneration(), desiredApp, deployed, more.toList()),
        desiredApp,
        EarlierTasks.unchecked(app));
  }

  /** The volumes that exist and are smaller than what is rendered; refuses what they forbid. */
  private static PlannedExpansion larger(
      DesiredApp desiredApp, ObservedApp observedApp, List<RenderedObject> rendered) {
    var sizes = PlannedExpansion.sizes(rendered);
    require(
        Refusal.of(
            Reasons.INVALID_SPEC, new StorageRules(desiredApp, observedApp, sizes).problems()));
    return PlannedExpansion.of(rendered, observedApp.volumeClaims());
  }

  /** What new pods will find; refuses what would leave data behind, and what does not fit. */
  private ReusedClaims reused(
      App app,
      DesiredApp desiredApp,
      List<DeployedComponent> deployed,
      List<RenderedObject> rendered) {
    require(Refusal.of(Reasons.INVALID_SPEC, ReplacedObjects.problems(deployed, rendered)));
    var reused =
        ReusedClaims.of(desiredApp, deployed, rendered, () -> cluster.volumes().claims(app));
    require(Refusal.of(Reasons.INVALID_SPEC, reused.problems()));
    return reused;
  }

  /** No refusal quotes the secrets among its values. */
  private SensitiveParameters remember(App app, DesiredApp desiredApp) {
    var sensitive = SensitiveParameters.of(desiredApp.plugin());
    desiredApp
        .configurations()
        .forEach(values -> secrets.remember(app.getMetadata().getUid(), sensitive, values));
    return sensitive;
  }

  /** The Backup may have been deleted since. */
  private boolean isBackedUp(App app) {
    return EarlierTasks.includeBackup(app) && cluster.hasBackupBeforeUpgrade(app);
  }

  private void validate(
      App app, DesiredApp desiredApp, ObservedApp observedApp, AppRendering once) {
    require(AppValidation.refusal(desiredApp, observedApp, endpoints));
    var namespace = app.getMetadata().getNamespace();
    require(new BackupRules(desiredApp, observedApp, namespace, once.backups()).refusal());
    require(Refusal.of(Reasons.INVALID_SPEC, dependencies.problems(app, once.backups())));
    var additions = AppAdditions.of(desiredApp, observedApp.components());
    require(Refusal.of(Reasons.INVALID_SPEC, cluster.conflictingNames(app, additions)));
    var agents = EditedAgents.problems(desiredApp, observedApp.components());
    require(Refusal.of(Reasons.PLUGIN_INVALID, agents));
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
    return cluster.plugin(app, app.getSpec().plugin());
  }

  private static void require(Optional<Refusal> refusal) {
    refusal.ifPresent(
        it -> {
          throw new AppRefusedException(it);
        });
  }

  /**
   * An App that no other uses can always be removed, even when it or its plugin is not valid. A
   * forced deletion asks for no users, ignores the timeouts, which may be too short to give up on
   * an object, and runs no hooks. {@code --cascade=orphan} asks to leave everything as it is.
   */
  private PlanAnswer teardown(App app) {
    require(usedApps.refusedDeletion(app));
    var components =
        app.getMetadata().getFinalizers().contains(ORPHAN)
            ? List.<Component>of()
            : cluster.componentsToRemove(app);
    var spec = Optional.ofNullable(app.getSpec()).filter(it -> !app.isDeletedByForce());
    var readable = components.stream().map(Component::getSpec).filter(Objects::nonNull).toList();
    var plugin =
        readable.stream()
            .map(ComponentSpec::plugin)
            .filter(Objects::nonNull)
            .findFirst()
            .flatMap(cluster::find)
            .map(Plugin::getSpec);
    var plan =
        planner.teardown(
            app.getMetadata().getGeneration(), spec, plugin, ComponentSize.byName(components));
    var hooks = plugin.filter(it -> !app.isDeletedByForce());
    return planned(
        app, hooks.map(it -> PlannedHooks.ofDeletion(it, readable).into(plan)).orElse(plan));
  }
}
