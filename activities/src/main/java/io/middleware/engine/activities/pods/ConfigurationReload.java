package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.agents.PodReloads;
import io.middleware.engine.activities.agents.PodReloads.ReloadCall;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.ClusterWaiter;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.activities.status.EngineEvent;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.PluginSpec;
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
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Has the running pods of one group reload their configuration.
 *
 * <ol>
 *   <li>Ask for the order of those that are ready.
 *   <li>Have one after the other reload, or all together where the order says so. The first that
 *       refuses ends it.
 *   <li>Begin again at 1 with those that were not ready, as soon as one is, until none is left.
 *       Pods that are going need nothing, as their successors begin with what was written.
 * </ol>
 */
final class ConfigurationReload {
  private final Cluster cluster;
  private final ReloadRequest request;
  private final PluginSpec plugin;
  private final ReloadCall wish;
  private final Course course;
  private final Set<String> asked = new HashSet<>();

  /**
   * @param events where it is recorded that a pod has reloaded
   */
  record Cluster(
      ClusterView view,
      ClusterWaiter waiting,
      PodReloads reloads,
      BiConsumer<App, EngineEvent> events) {}

  /** Whether it may go on; each of these ends it by throwing. */
  interface Course {
    /** Lets the next pods begin, when the App is not paused. */
    App pass();

    /** While it waits, for pods or for their agents. */
    void look();

    /** For pods that reload now. */
    Telling follow();
  }

  /** Told which pod is at what, and how far; by several threads. It may throw to end it all. */
  interface Telling extends Consumer<String> {
    /** All have done it. */
    void done();
  }

  /**
   * @param plugin of the group
   */
  ConfigurationReload(
      Cluster cluster, ReloadRequest request, PluginSpec plugin, ReloadCall wish, Course course) {
    this.cluster = cluster;
    this.request = request;
    this.plugin = plugin;
    this.wish = wish;
    this.course = course;
  }

  /** Says why the order was not the agents' own; empty when it was. */
  Optional<String> run() {
    var degraded = Optional.<String>empty();
    await(this::setLacks);
    while (!unasked().isEmpty()) {
      await(() -> lacks(unasked()));
      var ready = unasked().stream().filter(PodState::isReady).toList();
      var order = cluster.reloads().order(plugin, group(), ready);
      degraded = degraded.or(order::degraded);
      for (var batch : order.batches()) {
        var app = course.pass();
        together(app, ready.stream().filter(pod -> batch.contains(pod.name())).toList());
      }
    }
    return degraded;
  }

  private void await(Supplier<Optional<String>> missing) {
    cluster
        .waiting()
        .until(
            key(),
            () -> {
              course.look();
              return missing.get();
            });
  }

  /** Of one that is not seen nobody knows the pods. */
  private Optional<String> setLacks() {
    return set().isPresent()
        ? Optional.empty()
        : Optional.of("StatefulSet %s: does not exist".formatted(request.statefulSet().name()));
  }

  private Optional<StatefulSet> set() {
    return cluster.view().statefulSet(key(), request.statefulSet());
  }

  private static Optional<String> lacks(List<PodState> pods) {
    return pods.isEmpty() || pods.stream().anyMatch(PodState::isReady)
        ? Optional.empty()
        : Rollout.first(
            pods.stream()
                .map(pod -> "pod %s: not ready: %s".formatted(pod.name(), pod.trouble()))
                .toList());
  }

  /** The pods that are to stay and have not reloaded yet. */
  private List<PodState> unasked() {
    var view = cluster.view();
    return set().stream()
        .flatMap(
            set -> view.podsOf(key(), set).stream().filter(pod -> !Rollout.isSurplus(set, pod)))
        .filter(pod -> !pod.isTerminating() && !asked.contains(pod.uid()))
        .toList();
  }

  private void together(App app, List<PodState> pods) {
    List<Future<?>> calls = new ArrayList<>();
    var told = course.follow();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      pods.forEach(pod -> calls.add(threads.submit(() -> reload(app, pod, told))));
    }
    calls.forEach(Faults::result);
    told.done();
    pods.forEach(pod -> asked.add(pod.uid()));
  }

  private void reload(App app, PodState pod, Telling told) {
    cluster.reloads().reload(plugin, pod, wish, told);
    var note = "pod %s has %s in force without a restart".formatted(pod.name(), wish.names());
    var event =
        new EngineEvent(
            "pod/" + pod.uid() + "/" + wish.id(),
            EngineEvent.Kind.NORMAL,
            "PodReloaded",
            "Reload",
            note);
    Thread.startVirtualThread(() -> cluster.events().accept(app, event));
  }

  private String group() {
    var task = request.group().task();
    return Labels.groupName(change().app(), task.component(), request.group().group());
  }

  private ChangeRef change() {
    return request.group().task().change();
  }

  private AppKey key() {
    return AppKey.of(change());
  }
}
