package io.middleware.engine.activities.rollout;

import io.middleware.engine.activities.pods.ActionProgress;
import io.middleware.engine.activities.pods.AgentActionProgress;
import io.middleware.engine.activities.pods.StepId;
import io.middleware.engine.activities.resources.EngineObjects;
import io.middleware.engine.activities.rollout.ConfigurationReload.ReloadContext;
import io.middleware.engine.activities.rollout.ConfigurationReload.ReloadControl;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.agents.PodReloads;
import io.middleware.engine.cluster.agents.PodReloads.ReloadCall;
import io.middleware.engine.cluster.runlock.PauseGate;
import io.middleware.engine.cluster.runlock.RunLockWatch;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.render.GroupConfig;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.ConfigurationActivities;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;

/** {@inheritDoc} */
public final class KubernetesConfigurationActivities implements ConfigurationActivities {
  private final EngineObjects engine;
  private final Plugins plugins;
  private final PauseGate gate;
  private final ActionProgressWriter progress;
  private final ReloadContext reloading;
  private final SensitiveValues secrets;

  /**
   * @param view must already be started
   */
  public KubernetesConfigurationActivities(
      EngineObjects engine,
      Plugins plugins,
      ClusterView view,
      ClusterWaiter waiter,
      PauseGate gate,
      PodReloads reloads,
      ActionProgressWriter progress,
      EventRecorder events,
      SensitiveValues secrets) {
    this.engine = engine;
    this.plugins = plugins;
    this.gate = gate;
    this.progress = progress;
    this.secrets = secrets;
    this.reloading = new ReloadContext(view, waiter, reloads, events::record);
  }

  /** Reads the values here: they may be confidential, and many people can read a history. */
  @Override
  public Reload reload(ReloadRequest request) {
    var context = Activity.getExecutionContext();
    var group = engine.spec(request.group());
    var plugin = plugins.read(request.group().task(), group.plugin());
    var change = request.group().task().change();
    var values = GroupConfig.of(plugin, group).reloadable();
    secrets.remember(change.uid(), SensitiveParameters.of(plugin), values);
    var call = new ReloadCall(StepId.of(context), values);
    var control = new LockedReload(context, change);
    return new Reload(new ConfigurationReload(reloading, request, plugin, call, control).run());
  }

  /** Goes on while the run holds the App's run lock. */
  private final class LockedReload implements ReloadControl {
    private final ActivityExecutionContext context;
    private final ChangeRef change;
    private final RunLockWatch runLock;

    LockedReload(ActivityExecutionContext context, ChangeRef change) {
      this.context = context;
      this.change = change;
      this.runLock = gate.watch(change);
    }

    @Override
    public App pass() {
      return gate.pass(change);
    }

    @Override
    public void check() {
      runLock.check();
    }

    @Override
    public ActionProgress progress() {
      return new AgentActionProgress(runLock, context::heartbeat, progress.open(change));
    }
  }
}
