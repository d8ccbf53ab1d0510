package io.middleware.engine.activities.apiserver;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.activities.actions.LeftoverJobs;
import io.middleware.engine.activities.backup.ClusterBackupSources;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StepReporter;
import io.middleware.engine.activities.pods.StopChecks;
import io.middleware.engine.activities.resources.ActionJobs;
import io.middleware.engine.activities.resources.DesiredGroups;
import io.middleware.engine.activities.resources.GroupRendering;
import io.middleware.engine.activities.resources.KubernetesResourceActivities;
import io.middleware.engine.activities.resources.StepApps;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Heartbeat;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.SpecHistoryReader;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.runlock.OperationLock;
import io.middleware.engine.cluster.runlock.PauseGate;
import io.middleware.engine.cluster.runlock.RunFence;
import io.middleware.engine.cluster.runlock.RunLock;
import io.middleware.engine.cluster.runlock.RunLockFence;
import io.middleware.engine.cluster.runlock.RunLocks;
import io.middleware.engine.cluster.runlock.SharedOperationLock;
import io.middleware.engine.cluster.runlock.StatusRunLockRenewal;
import io.middleware.engine.cluster.runlock.TerminatedRuns;
import io.middleware.engine.cluster.runs.RunLookup;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.cluster.status.OperationReports;
import io.middleware.engine.cluster.status.TransitionPublisher;
import io.middleware.engine.render.GroupRenderer;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.temporal.client.ActivityCanceledException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What activities share, built as the worker builds it, for one namespace. */
public final class LocalEngine {
  /** What was waited for last, and before. */
  public final List<String> heartbeats = new CopyOnWriteArrayList<>();

  /** Whether Temporal says that the step is cancelled. */
  public volatile boolean cancelled;

  /** The only open run, as Temporal would say. */
  public volatile String openRun = "run-1";

  public final SensitiveValues secrets = new SensitiveValues();
  public final LocalNamespace cluster;
  public final RunLookup runs = change -> change.runId().equals(openRun);
  public final AppStatusWriter status;
  public final EventRecorder events;
  public final TransitionPublisher transitions;
  public final RunLock lock;
  public final RunLocks locks;
  public final OperationReports reports;
  public final RunLockFence fence;
  public final EngineObjects objects;
  public final SpecHistoryReader specHistory;
  public final ImpersonatedClients writers;
  public final MeterRegistry meters = new SimpleMeterRegistry();
  public final Plugins plugins;
  public final GroupRenderer renderer;
  public final DesiredGroups groups;
  public final ActionJobs jobs;
  public final ClusterWaiter waiter;
  public final PauseGate gate;

  public LocalEngine(LocalNamespace cluster) {
    var client = cluster.client();
    var clock = Clock.systemUTC();
    this.cluster = cluster;
    this.events = new EventRecorder(client, "test", clock, secrets);
    this.status = new AppStatusWriter(client, events::record);
    this.transitions = new TransitionPublisher(events, meters);
    this.lock =
        new RunLock(status, new TerminatedRuns(status, runs, transitions, clock), runs, clock);
    var operations = new Operations(client);
    var shared = new SharedOperationLock(status, operations, runs, events, clock);
    this.locks =
        new RunLocks(lock, new OperationLock(status, operations, runs, events, clock), shared);
    this.fence = new RunLockFence(client, new StatusRunLockRenewal(status, runs));
    this.objects = new EngineObjects(client);
    this.specHistory = new SpecHistoryReader(client);
    this.writers = new ImpersonatedClients(client, "");
    this.plugins = new Plugins(client, cluster.namespace(), List.of());
    this.renderer =
        new GroupRenderer(
            plugins::template,
            new ClusterBackupSources(client),
            "middleware-system",
            Duration.ofMinutes(1));
    this.groups = new DesiredGroups(objects, new GroupRendering(plugins, renderer, secrets));
    this.jobs = new ActionJobs(client, writers, groups, events);
    var leftovers = new LeftoverJobs(cluster.view(), jobs, operations, clock);
    this.reports =
        new OperationReports(
            status, operations, leftovers, runs, events, transitions, meters, clock);
    this.waiter = new ClusterWaiter(cluster.view(), heartbeat());
    this.gate = new PauseGate(RunFence.of(fence, shared), specHistory, cluster.view(), waiter);
  }

  private Heartbeat heartbeat() {
    return new Heartbeat() {
      @Override
      public void send(String message) {
        heartbeats.add(message);
      }

      @Override
      public void ask() {
        if (cancelled) {
          throw new ActivityCanceledException();
        }
      }
    };
  }

  /** What steps on pods work with that evict none. */
  public PodStepContext steps(ClusterView view, Heartbeat sent) {
    return new PodStepContext(
        view,
        new ClusterWaiter(view, sent),
        gate,
        null,
        new StepReporter(events, new ActionProgressWriter(status, secrets)),
        StopChecks.NONE);
  }

  public void awaitHeartbeat(String start) {
    cluster.await().until(() -> heartbeats.stream().anyMatch(it -> it.startsWith(start)));
  }

  /** The App of each step. */
  public StepApps apps(ClusterView view) {
    return new StepApps(fence, specHistory, view);
  }

  /** Of plugins without agents. */
  public KubernetesResourceActivities resources() {
    return resources(cluster.view());
  }

  /** The same with this view. */
  public KubernetesResourceActivities resources(ClusterView view) {
    return resources(view, new NoOrders());
  }

  /** The same, where the order of pods comes from these. */
  public KubernetesResourceActivities resources(ClusterView view, OrderingActivities orders) {
    var policy = new AgentPolicy(Duration.ofSeconds(1), 1, 65_536);
    return new KubernetesResourceActivities(
        cluster.client(),
        writers,
        apps(view),
        groups,
        new AgentQueries(new AgentChannels(name -> null), policy),
        orders,
        StopChecks.NONE,
        events);
  }

  /** The App's change by run {@code run-1}, which holds the run lock. */
  public ChangeRef begin(App app) {
    var change = cluster.change(app, "run-1");
    if (lock.acquire(change).isEmpty()) {
      throw new IllegalStateException("App " + change.app() + " is gone");
    }
    return change;
  }
}
