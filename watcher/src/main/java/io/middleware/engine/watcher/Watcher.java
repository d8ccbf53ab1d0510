package io.middleware.engine.watcher;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.OperatorException;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetricsV2;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.json.LenientObjects;
import io.middleware.engine.process.ClusterHistory;
import io.middleware.engine.process.ClusterName;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.GracefulShutdown;
import io.middleware.engine.process.HealthServer;
import io.middleware.engine.process.KubernetesClients;
import io.middleware.engine.process.ProcessExit;
import io.middleware.engine.process.ProcessMetrics;
import io.middleware.engine.process.TemporalConnection;
import io.middleware.engine.process.trace.Tracing;
import io.middleware.engine.watcher.cache.AppCacheTransform;
import io.middleware.engine.watcher.cache.LeanStore;
import io.middleware.engine.watcher.cache.ServedNamespaces;
import io.middleware.engine.watcher.request.RequestReconciler;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Starts and stops the process: connections, lease, operator and health server. */
final class Watcher {
  private static final Duration FIRST_RETRY = Duration.ofMillis(500);
  private static final long LONGEST_RETRY_MILLIS = 10_000;
  private static final int CONCURRENT_RECONCILIATIONS = 64;
  private static final int BURST = 4;
  private static final Duration SPACING = Duration.ofMillis(200);

  /** Usually known at once; while Temporal is away, health is mirrored without it. */
  private static final Duration LONGEST_TAKE = Duration.ofSeconds(2);

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
    var tracing = stop.opened("traces", Tracing.open("watcher", System.getenv()));
    var temporal =
        stop.opened(
            "temporal",
            TemporalConnection.open(
                "watcher", settings.temporal(), registry, tracing, System.getenv()));
    var client = stop.opened("kubernetes", clients.open());
    var leadership = leadership(stop.opened("kubernetes for the lease", clients.openForElection()));
    var watches = stop.opened("watches", clients.openForWatches());
    var assembly = new WatcherAssembly(settings, client, temporal, registry, stop);
    var operators = operators(watches, assembly);
    var readiness =
        new WatcherReadiness(temporal, client, operators, leadership, assembly.clusterName());
    var sources =
        new HealthServer.HealthSources(
            registry, List.of(assembly.progress(), leadership.check()), readiness.checks());
    stop.opened("health server", HealthServer.start(settings.watcher().httpAddress(), sources));
    stop.opened("lease", leadership);
    operators.forEach(operator -> stop.opened("operator", operator::stop));
    readiness.awaitApiServer();
    ClusterHistory.of(client, settings.namespaces()).watch(why -> exit.because(why, null));
    Thread.ofVirtual()
        .name("cluster-name")
        .start(() -> take(assembly.clusterName()))
        .join(LONGEST_TAKE);
    run(leadership, () -> lead(operators, assembly));
  }

  /**
   * Each has threads of its own: those of Operations, Backups and tests wait for Temporal, which
   * may never answer, and the health of Apps is mirrored nevertheless.
   */
  private List<Operator> operators(KubernetesClient watches, WatcherAssembly assembly) {
    var measured =
        new BalancedMetrics(
            MicrometerMetricsV2.newBuilder(UniformTagsFilter.before(metrics.registry())).build());
    var apps = operator(watches, measured, "app-");
    apps.register(assembly.reconciler(), this::configureApps);
    var requests = operator(watches, measured, "request-");
    assembly.requests().forEach(reconciler -> register(requests, reconciler));
    return List.of(apps, requests);
  }

  private Operator operator(KubernetesClient watches, Metrics measured, String threads) {
    return new Operator(
        options -> configure(options.withKubernetesClient(watches).withMetrics(measured), threads));
  }

  private void take(ClusterName name) {
    try {
      name.take().ifPresentOrElse(this::refuse, () -> name.keep(this::refuse));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void refuse(String refusal) {
    exit.because("cluster: " + refusal, null);
  }

  private void run(Leadership leadership, Runnable lead) {
    if (settings.watcher().leaderElection()) {
      leadership.seek(settings.watcher().leaseDuration(), lead);
    } else {
      leadership.assume(lead);
    }
  }

  private void lead(List<Operator> operators, WatcherAssembly assembly) {
    try {
      for (var operator : operators) {
        if (stop.begun()) {
          return; // one that starts now would not be stopped
        }
        operator.start();
      }
      assembly.startBackgroundWork();
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

  private void configure(ConfigurationServiceOverrider options, String threads) {
    options
        .withCloseClientOnStop(false)
        .withResourceCloner(new NoCopyCloner())
        .withExecutorService(IdleThreads.upTo(CONCURRENT_RECONCILIATIONS, threads))
        .withInformerStoppedHandler(
            (informer, cause) -> {
              if (cause != null) {
                exit.because("an informer stopped", cause);
              }
            });
  }

  private void configureApps(ControllerConfigurationOverrider<App> apps) {
    configureEach(apps);
    if (isOneInformer()) {
      apps.withItemStore(new LeanStore<>(AppCacheTransform::reduce));
    }
  }

  private <T extends CustomResource<?, ?>> void register(
      Operator operator, RequestReconciler<T> reconciler) {
    operator.register(
        reconciler,
        requests -> {
          configureEach(requests);
          reconciler.configure(requests, isOneInformer());
        });
  }

  private boolean isOneInformer() {
    return new ServedNamespaces(settings.namespaces()).isOneInformer();
  }

  private void configureEach(ControllerConfigurationOverrider<?> controller) {
    if (!settings.namespaces().isEmpty()) {
      controller.settingNamespaces(Set.copyOf(settings.namespaces()));
    }
    controller
        .withInformerListLimit(AppObserver.PAGE)
        .withRateLimiter(new BurstLimiter(BURST, SPACING, System::nanoTime))
        .withRetry(
            new GenericRetry()
                .setInitialInterval(FIRST_RETRY)
                .setMaxInterval(LONGEST_RETRY_MILLIS)
                .withoutMaxAttempts());
  }
}
