package io.middleware.engine.watcher;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.OperatorException;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetricsV2;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.json.LenientObjects;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.GracefulShutdown;
import io.middleware.engine.process.HealthServer;
import io.middleware.engine.process.KubernetesClients;
import io.middleware.engine.process.ProcessMetrics;
import io.middleware.engine.process.TemporalConnection;
import io.middleware.engine.watcher.cache.AppCacheTransform;
import io.middleware.engine.watcher.cache.LeanStore;
import io.middleware.engine.watcher.change.ChangeSignaller;
import io.middleware.engine.watcher.change.MeteredChangeRuns;
import io.middleware.engine.watcher.change.RunCheckIntervals;
import io.middleware.engine.watcher.change.TemporalChangeRuns;
import io.middleware.engine.watcher.control.ControlEvents;
import io.middleware.engine.watcher.control.ControlRequests;
import io.middleware.engine.watcher.control.LiveApps;
import io.middleware.engine.watcher.health.HealthMirror;
import io.middleware.engine.watcher.health.ServerSideStatusWriter;
import io.middleware.engine.watcher.health.WriteDelays;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;

/** Builds the process: what it opens first, it closes last. */
final class Watcher {
  private static final Duration TEMPORAL_CALL = Duration.ofSeconds(5);
  private static final Duration SETTLING = Duration.ofSeconds(3);
  private static final Duration AWAY = Duration.ofSeconds(2);
  private static final Duration FIRST_RETRY = Duration.ofMillis(500);
  private static final long LONGEST_RETRY_MILLIS = 10_000;
  private static final int LOOKS_AT_ONCE = 64;
  private static final int BURST = 4;
  private static final Duration SPACING = Duration.ofMillis(200);

  private final EngineSettings settings;
  private final GracefulShutdown stop;
  private final ProcessExit exit;
  private final ProcessMetrics metrics;
  private final KubernetesClients clients;

  private Watcher(EngineSettings settings) {
    this.settings = settings;
    this.stop = new GracefulShutdown(settings.stopTimeout()).onSignal();
    this.exit = new ProcessExit(stop);
    this.metrics = stop.opened("metrics", new ProcessMetrics());
    this.clients = new KubernetesClients("watcher", settings, new LenientObjects().serialization());
  }

  static void start(EngineSettings settings) {
    try {
      new Watcher(settings).start();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void start() throws InterruptedException {
    var registry = metrics.registry();
    var temporal =
        stop.opened(
            "temporal",
            TemporalConnection.open("watcher", settings.temporal(), registry, System.getenv()));
    var client = stop.opened("kubernetes", clients.open());
    var leadership = leadership(stop.opened("kubernetes for the lease", clients.openForElection()));
    var operator = new Operator(options -> configure(options.withKubernetesClient(client)));
    var surroundings = new WatcherAssembly(settings, client, registry, stop);
    operator.register(reconciler(temporal, client, surroundings), this::configure);
    var readiness = new WatcherReadiness(temporal, client, operator, leadership);
    var signs = new HealthServer.HealthSources(registry, List.of(), readiness.checks());
    stop.opened("life server", HealthServer.start(settings.watcher().httpAddress(), signs));
    stop.opened("lease", leadership);
    stop.opened("operator", operator::stop);
    readiness.awaitApiServer();
    run(leadership, () -> lead(operator, surroundings));
  }

  private void run(Leadership leadership, Runnable lead) {
    if (settings.watcher().leaderElection()) {
      leadership.seek(settings.watcher().leaseDuration(), lead);
    } else {
      leadership.assume(lead);
    }
  }

  private void lead(Operator operator, WatcherAssembly surroundings) {
    try {
      operator.start();
      surroundings.start();
    } catch (OperatorException e) {
      exit.because("the operator did not start", e);
    }
  }

  private Leadership leadership(KubernetesClient client) {
    return new Leadership(
        client,
        settings.systemNamespace(),
        LeaseIdentity.of(settings.watcher().httpAddress()),
        exit,
        metrics.registry());
  }

  private void configure(ConfigurationServiceOverrider options) {
    options
        .withCloseClientOnStop(false)
        .withResourceCloner(new NoCopyCloner())
        .withMetrics(
            MicrometerMetricsV2.newBuilder(UniformTagsFilter.before(metrics.registry())).build())
        .withExecutorService(
            Executors.newFixedThreadPool(
                LOOKS_AT_ONCE, Thread.ofVirtual().name("app-", 0).factory()))
        .withInformerStoppedHandler(
            (informer, cause) -> {
              if (cause != null) {
                exit.because("an informer has stopped", cause);
              }
            });
  }

  private AppReconciler reconciler(
      TemporalConnection temporal, KubernetesClient client, WatcherAssembly surroundings) {
    var clock = InstantSource.system();
    var registry = metrics.registry();
    var temporalRuns =
        stop.opened("runs", new TemporalChangeRuns(temporal.client(), TEMPORAL_CALL));
    var runs = new MeteredChangeRuns(temporalRuns, registry);
    var patience = new RunCheckIntervals(settings.watcher().resync(), SETTLING, AWAY);
    var writer = new ServerSideStatusWriter(client, AppReconciler.FIELD_MANAGER, registry);
    var events = new ControlEvents(LeaseIdentity.of(settings.watcher().httpAddress()), clock);
    var apps = new LiveApps(client, AppReconciler.FIELD_MANAGER, events);
    return new AppReconciler(
        surroundings.sight(),
        new ChangeSignaller(runs, patience, clock),
        new ControlRequests(
            runs,
            apps,
            new ControlRequests.Allowed(settings.manualRetry(), settings.manualCancel()),
            AWAY),
        new HealthMirror(writer, WriteDelays.DEFAULT, clock),
        surroundings.metadata());
  }

  private void configure(ControllerConfigurationOverrider<App> apps) {
    if (!settings.namespaces().isEmpty()) {
      apps.settingNamespaces(Set.copyOf(settings.namespaces()));
    }
    apps.withItemStore(new LeanStore<>(AppCacheTransform::cut))
        .withInformerListLimit(AppObserver.PAGE)
        .withRateLimiter(new BurstLimiter(BURST, SPACING, System::nanoTime))
        .withRetry(
            new GenericRetry()
                .setInitialInterval(FIRST_RETRY)
                .setMaxInterval(LONGEST_RETRY_MILLIS)
                .withoutMaxAttempts());
  }
}
