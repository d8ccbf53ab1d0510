package io.middleware.engine.activities.checks;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.checks.CheckWait.CheckContext;
import io.middleware.engine.activities.checks.CheckWatch.WatchContext;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.pods.HoldingChecks;
import io.middleware.engine.activities.pods.StopChecks;
import io.middleware.engine.api.App;
import io.middleware.engine.api.check.Check;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.runlock.PauseGate;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.cluster.status.CheckResultWriter;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.condition.HttpSources;
import io.middleware.engine.planning.condition.Verdict;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.CheckActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Optional;
import java.util.stream.IntStream;

/** {@inheritDoc} */
public final class KubernetesCheckActivities implements CheckActivities, HoldingChecks {
  private static final InstantSource CLOCK = InstantSource.system();

  private final CheckSources sources;
  private final CheckOutputs outputs;

  /**
   * Where checks read.
   *
   * @param client with the engine's own rights
   * @param writers with the rights of an App, for its objects
   * @param view must already be started
   */
  public record CheckSources(
      KubernetesClient client,
      ImpersonatedClients writers,
      EngineObjects objects,
      ClusterView view,
      ClusterWaiter waiter,
      PauseGate gate,
      Plugins plugins,
      AgentQueries agents,
      HttpSources http) {

    /** The same, for a look that cannot wait. */
    private CheckSources brief() {
      return new CheckSources(
          client, writers, objects, view, waiter, gate, plugins, agents.brief(), http.brief());
    }

    /** The same, for looks that are repeated. */
    private CheckSources once() {
      return new CheckSources(
          client, writers, objects, view, waiter, gate, plugins, agents.once(), http);
    }
  }

  /** Where checks tell what became of them. */
  public record CheckOutputs(
      CheckResultWriter results, ActionProgressWriter progress, EventRecorder events) {}

  public KubernetesCheckActivities(CheckSources sources, CheckOutputs outputs) {
    this.sources = sources;
    this.outputs = outputs;
  }

  /** Those before pods. */
  public StopChecks stopChecks() {
    return new GroupStopChecks(new CheckLooks(sources.once()), sources.waiter().heartbeat());
  }

  @Override
  public boolean checksHold(CheckRequest request) {
    try {
      var app = sources.gate().unpausedWithSpec(request.change());
      return app.isPresent() && holdAtOnce(request, app.get());
    } catch (ApplicationFailure e) {
      return false; // the wait meets the same failure, and knows what to do about it
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while checking " + request.subject());
    }
  }

  private boolean holdAtOnce(CheckRequest request, App app) throws InterruptedException {
    var looks = new CheckLooks(sources.brief());
    var checks = looks.compiled(request, app);
    if (checks.stream().anyMatch(CompiledCheck::mustKeep)) {
      return false;
    }
    var verdicts = looks.look(request, app).verdicts(checks);
    if (!verdicts.stream().allMatch(Verdict.Holds.class::isInstance)) {
      return false;
    }
    var decided =
        IntStream.range(0, checks.size())
            .mapToObj(i -> new DecidedCheck(checks.get(i), verdicts.get(i)))
            .toList();
    report(app).passed(request, decided);
    return true;
  }

  @Override
  public void awaitChecks(CheckRequest request) {
    var app = sources.gate().passWithSpec(request.change());
    var looks = new CheckLooks(sources.once());
    var context =
        new CheckContext(sources.gate(), sources.waiter(), outputs.progress(), report(app));
    new CheckWait(request, looks.look(request, app), context, CLOCK)
        .run(looks.compiled(request, app));
  }

  @Override
  public void watchChecks(WatchRequest request) {
    var app = sources.gate().checkWithSpec(request.change());
    var context = new WatchContext(sources.gate(), sources.waiter().resting(), report(app));
    new CheckWatch(request.change(), looks(request, app), context).run();
  }

  /** The checks that a request names, none of them looked at yet. */
  private WatchedLooks looks(WatchRequest request, App app) {
    var looks = new CheckLooks(sources.once());
    var byComponent = new HashMap<String, CheckLook>();
    var checks = new ArrayList<WatchedCheck>();
    for (var component : request.components()) {
      var one =
          new CheckRequest(
              request.task(component.component()), Optional.empty(), component.names());
      byComponent.put(component.component(), looks.look(one, app));
      looks.named(one, app).map(check -> watched(one, check)).forEach(checks::add);
    }
    return new WatchedLooks(byComponent, checks, CLOCK);
  }

  /**
   * As {@link HoldingChecks} defines it.
   *
   * <ol>
   *   <li>Look at all checks. When none fails, the step may go on.
   *   <li>Otherwise say so in the App's status, and look again at those that are due, until none
   *       fails, or the App is paused. When one has failed too often in a row, report that, and
   *       end.
   * </ol>
   */
  @Override
  public boolean hold(TaskRef task, String meanwhile) {
    if (task.watched().isEmpty()) {
      return true;
    }
    var change = task.change();
    var app = sources.gate().checkWithSpec(change);
    var looks = looks(new WatchRequest(change, task.pluginRevision(), task.watched()), app);
    look(looks);
    if (looks.failing().isEmpty()) {
      return true;
    }
    var progress = outputs.progress().open(change);
    while (looks.failing().isPresent() && sources.gate().unpausedWithSpec(change).isPresent()) {
      failWhenFailed(looks, change, app);
      var message = "%s: waits for %s".formatted(meanwhile, looks.failing().get());
      progress.report(message);
      sources
          .waiter()
          .until(AppKey.of(change), looks.untilTheNextIsDue(), () -> Optional.of(message));
      look(looks);
    }
    progress.done();
    return false;
  }

  private void look(WatchedLooks looks) {
    looks.lookAtThoseThatAreDue(sources.waiter().heartbeat()::send, (component, found) -> {});
  }

  private void failWhenFailed(WatchedLooks looks, ChangeRef change, App app) {
    looks
        .failure()
        .ifPresent(
            why -> {
              report(app).failed(change, why);
              throw WatchedLooks.failed(why);
            });
  }

  private static WatchedCheck watched(CheckRequest request, Check check) {
    return new WatchedCheck(
        request.task().component(),
        CheckLooks.compiled(check),
        SpecDurations.parse(check.interval()).orElse(Duration.ZERO),
        check.threshold());
  }

  private CheckReport report(App app) {
    return new CheckReport(outputs.results(), outputs.events(), sources.view(), app, CLOCK);
  }
}
