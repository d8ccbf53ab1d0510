package io.middleware.engine.activities.checks;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.checks.CheckWait.CheckContext;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.ClusterWaiter;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PauseGate;
import io.middleware.engine.activities.kubernetes.Plugins;
import io.middleware.engine.activities.plan.CheckCatalog;
import io.middleware.engine.activities.plan.ComponentSpecs;
import io.middleware.engine.activities.resources.EngineObjects;
import io.middleware.engine.activities.status.ActionProgressWriter;
import io.middleware.engine.activities.status.CheckResultWriter;
import io.middleware.engine.activities.status.EventRecorder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Check;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.CheckActivities;
import io.temporal.failure.ApplicationFailure;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** {@inheritDoc} */
public final class KubernetesCheckActivities implements CheckActivities {
  private static final InstantSource CLOCK = InstantSource.system();

  private final CheckSources sources;
  private final CheckOutputs outputs;

  /**
   * Where checks read.
   *
   * @param client with the engine's own rights
   * @param view must already be started
   */
  public record CheckSources(
      KubernetesClient client,
      EngineObjects objects,
      ClusterView view,
      ClusterWaiter waiter,
      PauseGate gate,
      Plugins plugins,
      AgentQueries agents) {}

  /** Where checks tell what became of them. */
  public record CheckOutputs(
      CheckResultWriter results, ActionProgressWriter progress, EventRecorder events) {}

  public KubernetesCheckActivities(CheckSources sources, CheckOutputs outputs) {
    this.sources = sources;
    this.outputs = outputs;
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
    var plugin = plugin(request, app);
    var checks = checks(request, app, plugin);
    if (checks.stream().anyMatch(CompiledCheck::mustKeep)) {
      return false;
    }
    var verdicts = look(request, app, plugin, sources.agents().brief()).verdicts(checks);
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
    var plugin = plugin(request, app);
    var context =
        new CheckContext(sources.gate(), sources.waiter(), outputs.progress(), report(app));
    var look = look(request, app, plugin, sources.agents().once());
    new CheckWait(request, look, context, CLOCK).run(checks(request, app, plugin));
  }

  private CheckLook look(CheckRequest request, App app, PluginSpec plugin, AgentQueries agents) {
    var target = target(request, app, plugin);
    var pods = new CheckedPods(sources.client(), sources.view(), agents, target);
    return new CheckLook(pods, agents, target);
  }

  /** The replicas are those that the task has written: later tasks of the edit may bring others. */
  private CheckTarget target(CheckRequest request, App app, PluginSpec plugin) {
    var replicas =
        sources
            .objects()
            .component(request.task())
            .map(component -> ComponentSpecs.byName(component.getSpec()).values())
            .orElseGet(List::of)
            .stream()
            .filter(group -> request.group().map(group.name()::equals).orElse(true))
            .mapToInt(group -> Objects.requireNonNullElse(group.replicas(), 1))
            .sum();
    return new CheckTarget(
        request.task(),
        request.group(),
        app.getSpec().runtime(),
        replicas,
        AgentQueries.endpoint(plugin));
  }

  private PluginSpec plugin(CheckRequest request, App app) {
    return sources.plugins().read(request.task(), app.getSpec().plugin());
  }

  /** Those that the plan has named; it has compiled them, too. */
  private static List<CompiledCheck> checks(CheckRequest request, App app, PluginSpec plugin) {
    return new CheckCatalog(plugin, app.getSpec())
        .of(request.task().component()).stream()
            .filter(check -> request.names().contains(check.name()))
            .map(KubernetesCheckActivities::compiled)
            .toList();
  }

  private static CompiledCheck compiled(Check check) {
    try {
      return CompiledCheck.of(check);
    } catch (IllegalArgumentException e) {
      throw Faults.of(FaultKind.INVALID, "check %s: %s".formatted(check.name(), e.getMessage()));
    }
  }

  private CheckReport report(App app) {
    return new CheckReport(outputs.results(), outputs.events(), app, CLOCK);
  }
}
