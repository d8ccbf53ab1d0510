package io.middleware.engine.watcher;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.process.ClusterName;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.GracefulShutdown;
import io.middleware.engine.process.HealthCheck;
import io.middleware.engine.process.KubernetesClients;
import io.middleware.engine.process.TemporalConnection;
import io.middleware.engine.process.agents.TlsSecrets;
import io.middleware.engine.process.pods.ObjectEvents;
import io.middleware.engine.process.pods.PodEvents;
import io.middleware.engine.watcher.cache.ObservedPlugins;
import io.middleware.engine.watcher.cache.OptionalKinds;
import io.middleware.engine.watcher.cache.ServedNamespaces;
import io.middleware.engine.watcher.change.ChangeRuns;
import io.middleware.engine.watcher.change.ChangeSignaller;
import io.middleware.engine.watcher.change.MeteredChangeRuns;
import io.middleware.engine.watcher.change.RunCheckIntervals;
import io.middleware.engine.watcher.change.StuckRuns;
import io.middleware.engine.watcher.change.SubmissionCondition;
import io.middleware.engine.watcher.change.TemporalChangeRuns;
import io.middleware.engine.watcher.control.ControlEvents;
import io.middleware.engine.watcher.control.ControlRequests;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import io.middleware.engine.watcher.control.EventPublisher;
import io.middleware.engine.watcher.control.LiveApps;
import io.middleware.engine.watcher.endpoints.EndpointMirror;
import io.middleware.engine.watcher.endpoints.KubernetesSliceWriter;
import io.middleware.engine.watcher.health.AppMetrics;
import io.middleware.engine.watcher.health.HealthMirror;
import io.middleware.engine.watcher.health.ServerSideStatusWriter;
import io.middleware.engine.watcher.health.WriteDelays;
import io.middleware.engine.watcher.metadata.KubernetesMetadataWriter;
import io.middleware.engine.watcher.metadata.MetadataInformer;
import io.middleware.engine.watcher.metadata.MetadataMirror;
import io.middleware.engine.watcher.request.RequestReconciler;
import io.middleware.engine.watcher.roles.GrpcRoleClient;
import io.middleware.engine.watcher.roles.PluginEndpoints;
import io.middleware.engine.watcher.roles.RoleTracker;
import io.middleware.engine.watcher.secrets.SecretLooks;
import io.middleware.engine.watcher.secrets.TemporalSecretReader;
import io.middleware.engine.watcher.temporal.TemporalCalls;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Builds the reconciler of Apps and everything it uses. */
final class WatcherAssembly {
  private static final Duration TEMPORAL_CALL = Duration.ofSeconds(5);
  private static final Duration SETTLING = Duration.ofSeconds(3);
  private static final Duration RETRY_DELAY = Duration.ofSeconds(2);
  private static final Duration LONGEST_ROLE_CALL = Duration.ofMillis(1500);

  private final EngineSettings settings;
  private final KubernetesClient client;
  private final MeterRegistry registry;
  private final ClusterName clusterName;
  private final InstantSource clock = InstantSource.system();
  private final WorkProgress reconciliations = new WorkProgress("reconciliations");
  private final WorkProgress submissions = new WorkProgress("submissions");
  private final WorkProgress dispatch = new WorkProgress("events");
  private final RoleTracker roles;
  private final MetadataMirror metadata;
  private final UsesOfApps uses;
  private final SecretLooks secrets;
  private final AppReconciler reconciler;
  private final List<RequestReconciler<?>> requests;
  private final BackupAssembly backups;

  private static PodEvents podEvents(KubernetesClient client, AppEvents changed) {
    return new PodEvents(
        new ObjectEvents(client), about -> AppObserver.app(about).forEach(changed::trigger));
  }

  /**
   * @param stop closes what this assembly opens
   */
  WatcherAssembly(
      EngineSettings settings,
      KubernetesClient client,
      TemporalConnection temporal,
      MeterRegistry registry,
      GracefulShutdown stop) {
    this.settings = settings;
    this.client = client;
    this.registry = registry;
    this.clusterName =
        new ClusterName(
            temporal.client(), settings.cluster(), () -> KubernetesClients.clusterUid(client));
    var calls = stop.opened("calls", calls(temporal));
    var runs = new MeteredChangeRuns(new TemporalChangeRuns(calls, settings.cluster()), registry);
    var events = new AppEvents(dispatch);
    var plugins = new ObservedPlugins(settings.systemNamespace());
    var maps = new MetadataInformer(served());
    roles =
        stop.opened(
            "roles", new RoleTracker(roleClient(), new PluginEndpoints(plugins), events::trigger));
    metadata = stop.opened("metadata", metadata(maps));
    events.onDeletion(roles::forget);
    events.onDeletion(metadata::forget);
    backups = new BackupAssembly(settings, calls, clock, stop);
    requests =
        new RequestAssembly(settings, client, registry, clock)
            .reconcilers(calls, runs, plugins, events());
    uses = new UsesOfApps(events::trigger);
    secrets = stop.opened("secrets", secrets(calls, events));
    events.onDeletion(secrets::forget);
    var changes = changes(runs, apps());
    var submission = stop.opened("submission", submission(changes, controls(runs, apps()), events));
    events.onDeletion(submission::forget);
    var observer =
        observer(
            plugins,
            stop.opened("pod events", podEvents(client, events)),
            List.of(
                context -> List.of(plugins.source(context, changes::pluginChanged)),
                context -> maps.sources(context, metadata),
                uses::sources,
                backups::sources,
                context -> List.of(events)));
    reconciler = reconciler(observer, submission);
  }

  private AppReconciler reconciler(AppObserver observer, Submission submission) {
    return new AppReconciler(
        observer,
        submission,
        uses,
        new EndpointMirror(new KubernetesSliceWriter(client, registry)),
        health(),
        metadata,
        reconciliations);
  }

  private AppObserver observer(
      ObservedPlugins plugins, PodEvents pods, List<AppObserver.EventSourceFactory> sources) {
    var optional = new OptionalKinds(client);
    var dependencies =
        new ObservedDependencies(plugins, served(), optional, backups::exists, secrets);
    var metrics = new AppMetrics(registry, clock);
    return new AppObserver(roles, pods, served(), optional, dependencies, sources, metrics);
  }

  private TemporalCalls calls(TemporalConnection temporal) {
    return new TemporalCalls(temporal.client(), TEMPORAL_CALL, clusterName::isOwn);
  }

  private ServedNamespaces served() {
    return new ServedNamespaces(settings.namespaces());
  }

  private Submission submission(
      ChangeSignaller changes, ControlRequests controls, AppEvents events) {
    var order =
        new SubmissionOrder(
            changes::reconcile, controls::reconcile, backups.scheduler()::reconcile);
    return new Submission(app -> submissions.during(() -> order.submit(app)), events::trigger);
  }

  ClusterName clusterName() {
    return clusterName;
  }

  /** The health check {@code progress}. */
  HealthCheck progress() {
    return HealthCheck.of(
        "progress",
        () ->
            Stream.of(reconciliations, submissions, dispatch)
                .map(WorkProgress::problem)
                .flatMap(Optional::stream)
                .findFirst());
  }

  AppReconciler reconciler() {
    return reconciler;
  }

  List<RequestReconciler<?>> requests() {
    return requests;
  }

  /** To be called once the informers have read all Apps. */
  void startBackgroundWork() {
    backups.scheduler().start();
    roles.start();
    metadata.start();
    secrets.start();
  }

  private ChangeSignaller changes(ChangeRuns runs, LiveApps apps) {
    var intervals = new RunCheckIntervals(settings.watcher().resync(), SETTLING, RETRY_DELAY);
    var writer = new ServerSideStatusWriter(client, SubmissionCondition.MANAGER, registry);
    return new ChangeSignaller(
        runs,
        apps::read,
        uses,
        secrets::haveChanged,
        intervals,
        new SubmissionCondition(writer),
        stuckRuns(apps),
        clock);
  }

  private SecretLooks secrets(TemporalCalls calls, AppEvents events) {
    var reader = new TemporalSecretReader(calls, settings.cluster(), settings.systemNamespace());
    return new SecretLooks(reader, events::trigger, clock);
  }

  private MetadataMirror metadata(MetadataInformer maps) {
    var writer = new KubernetesMetadataWriter(client, AppReconciler.FIELD_MANAGER, registry);
    return new MetadataMirror(maps, writer, MetadataMirror.CollectionDelays.DEFAULT);
  }

  private HealthMirror health() {
    var writer = new ServerSideStatusWriter(client, AppReconciler.FIELD_MANAGER, registry);
    var events = events();
    return new HealthMirror(
        writer,
        WriteDelays.DEFAULT,
        settings.cluster(),
        (app, id, warning, reason, note) ->
            events.publish(app, "Observe", new ControlOutcome(id, warning, reason, note)),
        clock);
  }

  private LiveApps apps() {
    return new LiveApps(client, AppReconciler.FIELD_MANAGER, events());
  }

  private EventPublisher events() {
    var instance = LeaseIdentity.of(settings.watcher().httpAddress());
    return new EventPublisher(client, new ControlEvents(instance, clock));
  }

  /** One event for each run. */
  private StuckRuns stuckRuns(LiveApps apps) {
    return (app, run) ->
        apps.publish(
            app,
            new ControlOutcome(
                run.id(),
                true,
                "RunStuck",
                "run %1$s makes no progress: %2$s; see temporal workflow show -w %3$s -r %1$s; if it is not the engine's, end it: temporal workflow terminate -w %3$s -r %1$s"
                    .formatted(
                        run.id(),
                        run.trouble().orElse(""),
                        WorkflowIds.app(
                            settings.cluster(),
                            app.getMetadata().getNamespace(),
                            app.getMetadata().getName()))));
  }

  private ControlRequests controls(ChangeRuns runs, LiveApps apps) {
    var allowed =
        new ControlRequests.AllowedControls(settings.manualRetry(), settings.manualCancel());
    return new ControlRequests(runs, apps, allowed, RETRY_DELAY);
  }

  private GrpcRoleClient roleClient() {
    var agent = settings.agent();
    var deadline =
        agent.timeout().compareTo(LONGEST_ROLE_CALL) < 0 ? agent.timeout() : LONGEST_ROLE_CALL;
    var limits = new GrpcRoleClient.CallLimits(deadline, agent.maxReplyBytes());
    var secrets = TlsSecrets.in(client, settings.systemNamespace());
    return new GrpcRoleClient(limits, secrets, registry);
  }
}
