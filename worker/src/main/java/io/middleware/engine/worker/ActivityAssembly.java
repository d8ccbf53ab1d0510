package io.middleware.engine.worker;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.activities.actions.LeftoverJobs;
import io.middleware.engine.activities.backup.ClusterBackupSources;
import io.middleware.engine.activities.backup.KubernetesBackupActivities;
import io.middleware.engine.activities.backup.TemporalScheduleDeletion;
import io.middleware.engine.activities.checks.KubernetesCheckActivities;
import io.middleware.engine.activities.checks.KubernetesCheckActivities.CheckOutputs;
import io.middleware.engine.activities.checks.KubernetesCheckActivities.CheckSources;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.pods.PodEvictor;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StepReporter;
import io.middleware.engine.activities.resources.ActionJobs;
import io.middleware.engine.activities.resources.DesiredGroups;
import io.middleware.engine.activities.resources.FinalHooks;
import io.middleware.engine.activities.resources.GroupRendering;
import io.middleware.engine.activities.resources.KubernetesResourceActivities;
import io.middleware.engine.activities.resources.StepApps;
import io.middleware.engine.activities.rollout.KubernetesConfigurationActivities;
import io.middleware.engine.activities.rollout.KubernetesPodActivities;
import io.middleware.engine.activities.rollout.TaskPodProgress;
import io.middleware.engine.activities.secrets.KubernetesSecretActivities;
import io.middleware.engine.activities.volumes.KubernetesVolumeActivities;
import io.middleware.engine.activities.volumes.VolumeClaims;
import io.middleware.engine.api.json.LenientObjects;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.InformerView;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.SpecHistoryReader;
import io.middleware.engine.cluster.agents.GrpcOrderingActivities;
import io.middleware.engine.cluster.agents.PodReloads;
import io.middleware.engine.cluster.runlock.PauseGate;
import io.middleware.engine.cluster.runs.RunLookup;
import io.middleware.engine.cluster.runs.TemporalRunActivities;
import io.middleware.engine.cluster.runs.TemporalRunLookup;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.cluster.status.CheckResultWriter;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.cluster.status.KubernetesStatusActivities;
import io.middleware.engine.cluster.status.OperationReports;
import io.middleware.engine.cluster.status.TransitionPublisher;
import io.middleware.engine.planning.ClusterReader;
import io.middleware.engine.planning.KubernetesPlanningActivities;
import io.middleware.engine.planning.condition.HttpSources;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.trace.Tracing;
import io.middleware.engine.render.GroupRenderer;
import io.middleware.engine.render.sensitive.SensitiveValues;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;

/** Builds the activities from the settings, and once what several of them share. */
final class ActivityAssembly implements AutoCloseable {
  private final KubernetesClient client;
  private final EngineSettings settings;
  private final InformerView view;
  private final MeterRegistry meters;
  private final TemporalClock clock = new TemporalClock();
  private final SensitiveValues secrets = new SensitiveValues();
  private final ImpersonatedClients writers;
  private final SpecHistoryReader specHistory;
  private final Plugins plugins;
  private final GroupRenderer renderer;
  private final EngineObjects engineObjects;
  private final DesiredGroups desiredGroups;
  private final ActionJobs actionJobs;
  private final EventRecorder events;
  private final AppStatusWriter status;
  private final ActionProgressWriter actionProgress;
  private final TransitionPublisher transitions;
  private final RunLookup runs = new TemporalRunLookup();
  private final LockAssembly locks;
  private final StepApps apps;
  private final ClusterWaiter waiter;
  private final PauseGate gate;
  private final AgentAssembly agents;
  private final HttpSources http;
  private final KubernetesPlanningActivities planning;
  private final KubernetesResourceActivities resources;
  private final KubernetesCheckActivities checks;
  private final List<Object> waiting;

  /**
   * @param view must already be started
   */
  ActivityAssembly(
      EngineSettings settings,
      KubernetesClient client,
      LenientObjects objects,
      InformerView view,
      MeterRegistry meters,
      Tracing tracing) {
    this.client = client;
    this.settings = settings;
    this.view = view;
    this.meters = meters;
    this.writers = new ImpersonatedClients(client, settings.defaultServiceAccount());
    this.specHistory = new SpecHistoryReader(client);
    this.plugins = new Plugins(client, settings.systemNamespace(), settings.namespaces());
    this.renderer =
        new GroupRenderer(
            plugins::template,
            new ClusterBackupSources(client),
            settings.systemNamespace(),
            settings.worker().pluginCache());
    this.engineObjects = new EngineObjects(client);
    this.desiredGroups =
        new DesiredGroups(engineObjects, new GroupRendering(plugins, renderer, secrets));
    this.events =
        new EventRecorder(client, ManagementFactory.getRuntimeMXBean().getName(), clock, secrets);
    this.actionJobs = new ActionJobs(client, writers, desiredGroups, events);
    this.transitions = new TransitionPublisher(events, meters);
    this.status = new AppStatusWriter(client, events::record);
    this.actionProgress = new ActionProgressWriter(status, secrets);
    this.locks = new LockAssembly(client, status, runs, events, transitions, clock);
    this.apps = new StepApps(locks.writes(), specHistory, view);
    this.waiter = new ClusterWaiter(view);
    this.gate = new PauseGate(locks.steps(), specHistory, view, waiter);
    this.agents = new AgentAssembly(settings, client, tracing);
    this.http = HttpSources.of(Policies.ofEndpoints(settings.checks()));
    this.checks = buildChecks();
    this.resources = buildResources();
    this.planning = buildPlanning(objects);
    this.waiting = buildWaiting();
  }

  private KubernetesResourceActivities buildResources() {
    var limits = Policies.ofOrders(settings.worker());
    var ordering =
        new GrpcOrderingActivities(
            client, plugins, view, waiter, agents.queries(), limits, actionProgress);
    return new KubernetesResourceActivities(
        client,
        writers,
        apps,
        desiredGroups,
        agents.queries(),
        ordering,
        checks.stopChecks(),
        events);
  }

  HttpSources http() {
    return http;
  }

  /** The activities that answer at once. */
  private List<Object> buildBrief() {
    return List.of(
        planning,
        resources,
        ordering(),
        new KubernetesStatusActivities(
            client, status, view, runs, transitions, buildOperationReports(), clock),
        new TemporalRunActivities());
  }

  private OperationReports buildOperationReports() {
    var all = new Operations(client);
    var leftovers = new LeftoverJobs(view, actionJobs, all, clock);
    return new OperationReports(status, all, leftovers, runs, events, transitions, meters, clock);
  }

  private KubernetesPlanningActivities buildPlanning(LenientObjects objects) {
    return new KubernetesPlanningActivities(
        client,
        new ClusterReader(client, settings.systemNamespace(), objects, plugins),
        renderer,
        writers,
        Policies.ofPlans(settings, http.policy()),
        locks.all(),
        secrets,
        waiter.heartbeat()::send);
  }

  /** The activities that wait for the cluster or for agents. */
  private List<Object> buildWaiting() {
    var steps = buildSteps();
    var operations = new Operations(client);
    var acting =
        new ActingActivities(
            steps,
            engineObjects,
            plugins,
            agents.queries(),
            agents.actions(),
            new VolumeClaims(client, writers));
    return List.of(
        acting.operations(operations, client, writers, resources),
        acting.actions(operations, actionJobs, secrets, new FinalHooks(apps, engineObjects)),
        acting.members(),
        new KubernetesPodActivities(
            steps,
            client,
            agents.queries(),
            agents.actions(),
            checks,
            new TaskPodProgress(engineObjects, plugins, specHistory, view),
            meters),
        buildConfiguration(steps),
        new KubernetesVolumeActivities(client, writers, gate, view, waiter, desiredGroups),
        checks,
        new KubernetesSecretActivities(new AppSecrets(writers), clock),
        buildBackups());
  }

  private PodStepContext buildSteps() {
    var evictor = new PodEvictor(client, writers);
    var reporter = new StepReporter(events, actionProgress);
    return new PodStepContext(view, waiter, gate, evictor, reporter, checks.stopChecks());
  }

  private KubernetesConfigurationActivities buildConfiguration(PodStepContext steps) {
    return new KubernetesConfigurationActivities(
        steps,
        engineObjects,
        plugins,
        new PodReloads(agents.queries(), agents.actions()),
        secrets,
        new AppSecrets(writers),
        checks);
  }

  private KubernetesBackupActivities buildBackups() {
    return new KubernetesBackupActivities(
        new KubernetesBackupActivities.Context(
            client,
            plugins,
            view,
            waiter,
            agents.queries(),
            agents.actions(),
            new TemporalScheduleDeletion(),
            events,
            secrets,
            meters,
            clock));
  }

  private KubernetesCheckActivities buildChecks() {
    return new KubernetesCheckActivities(
        new CheckSources(
            client, writers, engineObjects, view, waiter, gate, plugins, agents.queries(), http),
        new CheckOutputs(new CheckResultWriter(status, secrets, clock), actionProgress, events));
  }

  /** All activities: local activities run where the workflows do. */
  Object[] all() {
    return Stream.concat(buildBrief().stream(), waiting.stream()).toArray();
  }

  Object planning() {
    return planning;
  }

  Object[] waiting() {
    return waiting.toArray();
  }

  Object ordering() {
    return resources.ordering();
  }

  Object checking() {
    return checks;
  }

  TemporalClock clock() {
    return clock;
  }

  SensitiveValues secrets() {
    return secrets;
  }

  @Override
  public void close() {
    agents.close();
    http.close();
  }
}
