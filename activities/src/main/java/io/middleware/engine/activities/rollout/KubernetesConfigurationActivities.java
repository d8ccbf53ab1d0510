package io.middleware.engine.activities.rollout;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.pods.ActionProgress;
import io.middleware.engine.activities.pods.AgentActionProgress;
import io.middleware.engine.activities.pods.HoldingChecks;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StepId;
import io.middleware.engine.activities.pods.StepReporter;
import io.middleware.engine.activities.rollout.ConfigurationReload.ReloadContext;
import io.middleware.engine.activities.rollout.ConfigurationReload.ReloadControl;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.agents.PodReloads;
import io.middleware.engine.cluster.agents.PodReloads.ReloadCall;
import io.middleware.engine.cluster.runlock.PauseGate;
import io.middleware.engine.cluster.runlock.RunLockWatch;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.secrets.SecretDigests;
import io.middleware.engine.cluster.secrets.SecretText;
import io.middleware.engine.render.GroupAccount;
import io.middleware.engine.render.GroupConfig;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ConfigurationActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import java.util.TreeMap;

/** {@inheritDoc} */
public final class KubernetesConfigurationActivities implements ConfigurationActivities {
  private final EngineObjects engine;
  private final Plugins plugins;
  private final PauseGate gate;
  private final StepReporter reporter;
  private final ReloadContext reloading;
  private final SensitiveValues secrets;
  private final AppSecrets passwords;
  private final HoldingChecks checks;

  /**
   * @param passwords of which agents are told digests
   * @param checks looked at before pods reload, and after the last one
   */
  public KubernetesConfigurationActivities(
      PodStepContext steps,
      EngineObjects engine,
      Plugins plugins,
      PodReloads reloads,
      SensitiveValues secrets,
      AppSecrets passwords,
      HoldingChecks checks) {
    this.engine = engine;
    this.plugins = plugins;
    this.gate = steps.gate();
    this.reporter = steps.reporter();
    this.secrets = secrets;
    this.passwords = passwords;
    this.checks = checks;
    this.reloading = new ReloadContext(steps.view(), steps.waiter(), reloads, reporter::record);
  }

  /** Reads the values here: they may be confidential, and many people can read a history. */
  @Override
  public Reload reload(ReloadRequest request) {
    var context = Activity.getExecutionContext();
    var group = engine.spec(request.group());
    var plugin = plugins.read(request.group().task(), group.plugin());
    var change = request.group().task().change();
    var config = GroupConfig.of(plugin, group);
    var values = config.reloadable();
    secrets.remember(change.uid(), SensitiveParameters.of(plugin), values);
    var control = new LockedReload(context, request.group().task());
    var id = StepId.of(context);
    var name =
        Labels.groupName(change.app(), request.group().task().component(), request.group().group());
    var degraded =
        new ConfigurationReload(
                reloading,
                request,
                plugin,
                app -> new ReloadCall(id, values, digests(app, name, config)),
                control)
            .run();
    control.awaitChecks();
    return new Reload(degraded);
  }

  /** Of what pods mount: of accounts, that is what was written into the Secret of their group. */
  private SecretDigests digests(App app, String group, GroupConfig config) {
    var found = new TreeMap<>(config.secrets());
    found.keySet().retainAll(config.hot());
    var texts = new TreeMap<String, SecretText>();
    found.forEach(
        (name, at) -> passwords.now(app, at.name(), at.key()).ifPresent(it -> texts.put(name, it)));
    for (var account : config.accounts()) {
      passwords
          .now(app, GroupAccount.secretOf(group), account.name())
          .map(it -> it.withoutLineBreaks() + '\0' + account.privileges())
          .ifPresent(it -> texts.put(account.parameter(), new SecretText(it)));
    }
    return texts.isEmpty() ? SecretDigests.NONE : SecretDigests.of(texts);
  }

  /** Goes on while the run holds the App's run lock, and no check beside the task fails. */
  private final class LockedReload implements ReloadControl {
    private final ActivityExecutionContext context;
    private final TaskRef task;
    private final RunLockWatch runLock;

    LockedReload(ActivityExecutionContext context, TaskRef task) {
      this.context = context;
      this.task = task;
      this.runLock = gate.watch(task.change());
    }

    void awaitChecks() {
      while (!checks.hold(task, "task %s: to go on".formatted(task.id()))) {
        gate.pass(task.change());
      }
    }

    @Override
    public App pass() {
      awaitChecks();
      return gate.pass(task.change());
    }

    @Override
    public void check() {
      runLock.check();
    }

    @Override
    public ActionProgress progress() {
      return new AgentActionProgress(
          runLock, context::heartbeat, reporter.progressOf(task.change()));
    }
  }
}
