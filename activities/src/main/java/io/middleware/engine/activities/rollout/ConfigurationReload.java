package io.middleware.engine.activities.rollout;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.pods.ActionProgress;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.cluster.agents.PodReloads;
import io.middleware.engine.cluster.agents.PodReloads.ReloadCall;
import io.middleware.engine.cluster.status.EngineEvent;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.ConfigurationActivities.ReloadRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Has the running pods of one group reload their configuration.
 *
 * <ol>
 *   <li>Ask the agents for the order of the ready pods.
 *   <li>Reload one pod after the other, or all together where the order says so. The first refusal
 *       ends the step.
 *   <li>Begin again at 1 with the pods that were not ready, as soon as one is, until all have
 *       reloaded. Pods that are being deleted are skipped: their successors start with the new
 *       configuration.
 * </ol>
 */
final class ConfigurationReload {
  private final ReloadContext context;
  private final ReloadRequest request;
  private final PluginSpec plugin;
  private final Function<App, ReloadCall> calls;
  private final ReloadControl control;
  private final ChangeRef change;
  private final AppKey key;
  private final Set<String> reloaded = new HashSet<>();

  /**
   * @param events records that a pod has reloaded
   */
  record ReloadContext(
      ClusterView view,
      ClusterWaiter waiter,
      PodReloads reloads,
      BiConsumer<App, EngineEvent> events) {}

  /** Decides whether the step may go on; each method ends the step by throwing. */
  interface ReloadControl {
    /** Lets the next pods begin once the App is not paused. */
    App pass();

    /** Called while the step waits for pods or for their agents. */
    void check();

    /** For pods that reload now. */
    ActionProgress progress();
  }

  /**
   * @param plugin of the group
   * @param calls made anew for each pod, and again when Secrets have changed meanwhile
   */
  ConfigurationReload(
      ReloadContext context,
      ReloadRequest request,
      PluginSpec plugin,
      Function<App, ReloadCall> calls,
      ReloadControl control) {
    this.context = context;
    this.request = request;
    this.plugin = plugin;
    this.calls = calls;
    this.control = control;
    this.change = request.group().task().change();
    this.key = AppKey.of(change);
  }

  /** Returns why the order did not come from the agents; empty when it did. */
  Optional<String> run() {
    var degraded = Optional.<String>empty();
    await(this::setMissing);
    while (!remaining().isEmpty()) {
      await(() -> noneReady(remaining()));
      var ready = remaining().stream().filter(PodState::isReady).toList();
      var order = order(ready);
      degraded = degraded.or(order::degraded);
      for (var batch : order.batches()) {
        var app = control.pass();
        reloadTogether(app, ready.stream().filter(pod -> batch.contains(pod.name())).toList());
      }
    }
    return degraded;
  }

  private ExecutionOrder order(List<PodState> ready) {
    var progress = control.progress();
    var message = "waiting for the agents' order of the pods of " + request.group().group();
    var order =
        AttendedCalls.await(
            () -> context.reloads().order(plugin, group(), ready), () -> progress.accept(message));
    progress.done();
    return order;
  }

  private void await(Supplier<Optional<String>> missing) {
    context
        .waiter()
        .until(
            key,
            () -> {
              control.check();
              return missing.get();
            });
  }

  /** Without its StatefulSet in the view, the group's pods are not known. */
  private Optional<String> setMissing() {
    return set().isPresent()
        ? Optional.empty()
        : Optional.of("StatefulSet %s: does not exist".formatted(request.statefulSet().name()));
  }

  private Optional<StatefulSet> set() {
    return context.view().statefulSet(key, request.statefulSet());
  }

  private static Optional<String> noneReady(List<PodState> pods) {
    return pods.isEmpty() || pods.stream().anyMatch(PodState::isReady)
        ? Optional.empty()
        : Rollout.firstFew(
            pods.stream()
                .map(pod -> "pod %s: not ready: %s".formatted(pod.name(), pod.trouble()))
                .toList());
  }

  /** The pods that have not reloaded yet, without surplus ones and those that are being deleted. */
  private List<PodState> remaining() {
    var view = context.view();
    return set().stream()
        .flatMap(set -> view.podsOf(key, set).stream().filter(pod -> !Rollout.isSurplus(set, pod)))
        .filter(pod -> !pod.isTerminating() && !reloaded.contains(pod.uid()))
        .toList();
  }

  private void reloadTogether(App app, List<PodState> pods) {
    List<Future<?>> calls = new ArrayList<>();
    var progress = control.progress();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      pods.forEach(pod -> calls.add(threads.submit(() -> reload(app, pod, progress))));
    }
    calls.forEach(Faults::result);
    progress.done();
    pods.forEach(pod -> reloaded.add(pod.uid()));
  }

  private void reload(App app, PodState pod, ActionProgress progress) {
    var call = context.reloads().reload(plugin, pod, () -> calls.apply(app), progress);
    var note = "pod %s has put %s into force without a restart".formatted(pod.name(), call.names());
    var event =
        new EngineEvent(
            "pod/" + pod.uid() + "/" + call.id(),
            EngineEvent.Kind.NORMAL,
            "PodReloaded",
            "Reload",
            note);
    Thread.startVirtualThread(() -> context.events().accept(app, event));
  }

  private String group() {
    var task = request.group().task();
    return Labels.groupName(change.app(), task.component(), request.group().group());
  }
}
