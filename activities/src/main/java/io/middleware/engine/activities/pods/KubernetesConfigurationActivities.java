package io.middleware.engine.activities.pods;

import io.middleware.engine.activities.agents.PodReloads;
import io.middleware.engine.activities.agents.PodReloads.ReloadCall;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.ClusterWaiter;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PauseGate;
import io.middleware.engine.activities.kubernetes.Plugins;
import io.middleware.engine.activities.kubernetes.RunLockFence;
import io.middleware.engine.activities.kubernetes.RunLockWatch;
import io.middleware.engine.activities.render.GroupConfig;
import io.middleware.engine.activities.resources.EngineObjects;
import io.middleware.engine.activities.status.ActionProgressWriter;
import io.middleware.engine.activities.status.EventRecorder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.ConfigurationActivities;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;

/** {@inheritDoc} */
public final class KubernetesConfigurationActivities implements ConfigurationActivities {
  private final EngineObjects engine;
  private final Plugins plugins;
  private final ClusterView view;
  private final ClusterWaiter waiting;
  private final RunLockFence fence;
  private final ActionProgressWriter board;
  private final ConfigurationReload.Cluster cluster;

  /**
   * @param view started
   */
  public KubernetesConfigurationActivities(
      RunLockFence fence,
      EngineObjects engine,
      Plugins plugins,
      ClusterView view,
      ClusterWaiter waiting,
      PodReloads reloads,
      ActionProgressWriter board,
      EventRecorder events) {
    this.engine = engine;
    this.plugins = plugins;
    this.view = view;
    this.waiting = waiting;
    this.fence = fence;
    this.board = board;
    this.cluster = new ConfigurationReload.Cluster(view, waiting, reloads, events::record);
  }

  /** The values are read here, as a history shows to many what may be confidential. */
  @Override
  public Reload reload(ReloadRequest request) {
    var context = Activity.getExecutionContext();
    var group = group(request.group());
    var plugin = plugins.read(group.plugin()).getSpec();
    var wish =
        new ReloadCall(
            context.getInfo().getWorkflowRunId(), GroupConfig.of(plugin, group).reloadable());
    var course = new Attempt(context, request.group().task().change());
    return new Reload(new ConfigurationReload(cluster, request, plugin, wish, course).run());
  }

  /** This one, while its run has the claim. */
  private final class Attempt implements ConfigurationReload.Course {
    private final ActivityExecutionContext context;
    private final ChangeRef change;
    private final RunLockWatch claim;

    Attempt(ActivityExecutionContext context, ChangeRef change) {
      this.context = context;
      this.change = change;
      this.claim = new RunLockWatch(fence, view, change);
    }

    @Override
    public App pass() {
      return new PauseGate(fence, view, waiting).pass(change);
    }

    @Override
    public void look() {
      claim.look();
    }

    @Override
    public ConfigurationReload.Telling follow() {
      return new AgentActionProgress(claim, context::heartbeat, board.open(change));
    }
  }

  private GroupSpec group(GroupRef ref) {
    return engine
        .group(ref.task(), ref.group())
        .map(Group::getSpec)
        .orElseThrow(
            () ->
                Faults.of(
                    FaultKind.CONFLICT,
                    "Group of %s/%s does not exist or cannot be read"
                        .formatted(ref.task().component(), ref.group())));
  }
}
