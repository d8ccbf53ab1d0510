package io.middleware.engine.worker;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.json.LenientObjects;
import io.middleware.engine.cluster.InformerView;
import io.middleware.engine.process.ClusterHistory;
import io.middleware.engine.process.ClusterName;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.GracefulShutdown;
import io.middleware.engine.process.HealthCheck;
import io.middleware.engine.process.HealthServer;
import io.middleware.engine.process.KubernetesClients;
import io.middleware.engine.process.ProcessExit;
import io.middleware.engine.process.ProcessMetrics;
import io.middleware.engine.process.TemporalConnection;
import io.middleware.engine.process.settings.SettingsException;
import io.middleware.engine.process.trace.Tracing;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.temporal.worker.WorkerFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the worker process. Resources are closed in the reverse order of opening. */
final class Worker {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  private final EngineSettings settings;
  private final GracefulShutdown shutdown;
  private final ProcessExit exit;
  private final ProcessMetrics metrics;
  private volatile boolean polling;

  private Worker(EngineSettings settings) {
    this.settings = settings;
    this.shutdown = new GracefulShutdown(settings.stopTimeout()).onSignal();
    this.exit = new ProcessExit(shutdown);
    this.metrics = shutdown.opened("metrics", new ProcessMetrics());
  }

  static void start(EngineSettings settings) {
    new Worker(settings).start();
  }

  private void start() {
    var registry = metrics.registry();
    var tracing = shutdown.opened("traces", Tracing.open("worker", System.getenv()));
    var objects = new LenientObjects();
    var clients = new KubernetesClients("worker", settings, objects.serialization());
    var client = clients.open();
    var watches = clients.openForWatches();
    var view = new InformerView(watches, settings.namespaces());
    var viewed = view.start(); // reads while the rest is built
    var temporal =
        shutdown.opened(
            "temporal",
            TemporalConnection.open(
                "worker", settings.temporal(), registry, tracing, System.getenv()));
    shutdown.opened("kubernetes", client); // closed first: Temporal still hears of what then fails
    shutdown.opened("watches", watches);
    shutdown.opened("view", view);
    shutdown.opened(
        "health server",
        HealthServer.start(
            settings.worker().httpAddress(),
            new HealthServer.HealthSources(
                registry, List.of(temporal.polls().check()), checks(temporal, client, view))));
    var activities =
        shutdown.opened(
            "agents", new ActivityAssembly(settings, client, objects, view, registry, tracing));
    var tests = tests(clients, view, activities);
    var factory = TemporalWorkers.of(temporal.client(), settings, activities, tests, tracing);
    shutdown.opened("workers", () -> shutDown(factory));
    var name =
        new ClusterName(
            temporal.client(), settings.cluster(), () -> KubernetesClients.clusterUid(client));
    viewed.join();
    ClusterHistory.of(client, settings.namespaces()).watch(why -> exit.because(why, null));
    poll(temporal, name, factory);
  }

  private Object[] tests(
      KubernetesClients clients, InformerView view, ActivityAssembly activities) {
    return TestingAssembly.activities(
        shutdown.opened("kubernetes for tests", clients.open()),
        view,
        settings.systemNamespace(),
        activities.http(),
        activities.clock());
  }

  private List<HealthCheck> checks(
      TemporalConnection temporal, KubernetesClient client, InformerView view) {
    return List.of(
        temporal.check(),
        temporal.check(ChangeSearchAttributes.required(settings.cluster())),
        KubernetesClients.check(client),
        HealthCheck.of(
            "view",
            () -> view.isWatching() ? Optional.empty() : Optional.of("an informer has stopped")),
        HealthCheck.of(
            "polling",
            () -> polling ? Optional.empty() : Optional.of("not yet polling for tasks")));
  }

  private void poll(TemporalConnection temporal, ClusterName name, WorkerFactory factory) {
    try {
      temporal.awaitReachable();
      name.take()
          .ifPresent(
              refusal -> {
                throw new SettingsException("cluster: " + refusal);
              });
      factory.start();
      temporal.polls().begin();
      polling = true;
      LOG.info("polling for tasks");
      name.keep(refusal -> exit.because("cluster: " + refusal, null));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Interrupts running activities: another worker repeats the steps that do not end in time. */
  private void shutDown(WorkerFactory factory) {
    factory.shutdownNow();
    factory.awaitTermination(settings.stopTimeout().toSeconds() / 2, TimeUnit.SECONDS);
  }
}
