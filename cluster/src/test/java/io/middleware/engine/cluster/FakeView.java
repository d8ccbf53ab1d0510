package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.middleware.engine.api.App;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** An in-memory view of one App. */
public final class FakeView implements ClusterView {
  private final WakeupsByApp wakeups = new WakeupsByApp();
  public volatile App app;
  public volatile boolean watching = true;
  public final List<PodState> pods = new CopyOnWriteArrayList<>();
  public final List<PodDisruptionBudget> budgets = new CopyOnWriteArrayList<>();
  public final List<StatefulSet> sets = new CopyOnWriteArrayList<>();
  public final List<Deployment> deployments = new CopyOnWriteArrayList<>();
  public final List<Job> jobs = new CopyOnWriteArrayList<>();
  public final List<VolumeState> volumes = new CopyOnWriteArrayList<>();

  @Override
  public Optional<App> app(AppKey key) {
    return Optional.ofNullable(app);
  }

  @Override
  public boolean isWatching() {
    return watching;
  }

  @Override
  public List<PodState> pods(AppKey key) {
    return pods;
  }

  @Override
  public List<StatefulSet> statefulSets(AppKey key) {
    return sets;
  }

  @Override
  public List<Deployment> deployments(AppKey key) {
    return deployments;
  }

  @Override
  public List<PodDisruptionBudget> budgets(AppKey key) {
    return budgets;
  }

  @Override
  public List<Job> jobs(AppKey key) {
    return jobs;
  }

  @Override
  public List<VolumeState> volumes(AppKey key) {
    return volumes;
  }

  @Override
  public Wakeup listen(AppKey key) {
    return wakeups.register(key);
  }

  public void wakeUp(AppKey key) {
    wakeups.trigger(key);
  }
}
