package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.objects.ForcedDeletions;
import io.middleware.engine.activities.objects.ObjectWriter;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.JobState;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.cluster.status.ForcedDeletionReport;
import io.middleware.engine.process.pods.ObjectEvents;
import io.middleware.engine.render.ActionJob;
import java.util.List;
import java.util.Optional;

/**
 * The Jobs that run actions. Like all objects of a Group they are guarded, written with the rights
 * of the App's service account, and owned by the Group. They are not in its inventory: they end and
 * go by themselves.
 */
public final class ActionJobs {
  private final KubernetesClient engine;
  private final DesiredGroups groups;
  private final ObjectWriter objects;

  /**
   * @param engine client with the engine's own rights, for reading
   */
  public ActionJobs(
      KubernetesClient engine,
      ImpersonatedClients writers,
      DesiredGroups groups,
      EventRecorder events) {
    this.engine = engine;
    this.groups = groups;
    this.objects =
        new ObjectWriter(engine, writers, new ForcedDeletions(new ForcedDeletionReport(events)));
  }

  /**
   * The Job of this name as the API server has it; empty when there is none. Uses a list, which the
   * engine may read.
   */
  public Optional<JobState> find(String namespace, String name) {
    var jobs =
        Faults.attempt(
            "look up Job %s/%s".formatted(namespace, name),
            () ->
                engine
                    .resources(Job.class)
                    .inNamespace(namespace)
                    .withLabel(Labels.APP)
                    .withField("metadata.name", name)
                    .list()
                    .getItems());
    return jobs.stream().findFirst().map(JobState::new);
  }

  /**
   * Creates the Job, or finds it as it is.
   *
   * @param group that owns it
   * @param fence checks the run lock when there is a Job of this name already
   * @return its uid
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it cannot be rendered, or
   *     somebody else has a Job of this name
   */
  public String create(App app, Group group, PluginSpec plugin, ActionJob job, Runnable fence) {
    var rendered = groups.job(plugin, app, group.getSpec(), job);
    var seen = objects.checkFree(app, group, GroupWriter.item(rendered), fence);
    return seen.object()
        .orElseGet(() -> objects.apply(app, group, rendered, seen))
        .getMetadata()
        .getUid();
  }

  /** Why the Job's controller cannot create its pod; empty when it does not say so. */
  public Optional<String> refusedCreation(JobState job) {
    return new ObjectEvents(engine).refusedCreation(job.job(), Optional.empty());
  }

  /** The pods of the Job as the API server has them. */
  public List<PodState> pods(JobState job) {
    var metadata = job.job().getMetadata();
    var app = metadata.getLabels().get(Labels.APP);
    return pods(metadata.getNamespace(), app, job.name(), job.uid());
  }

  private List<PodState> pods(String namespace, String app, String name, String uid) {
    var pods =
        Faults.list(
            "the pods of Job " + name,
            engine.resources(Pod.class).inNamespace(namespace).withLabel(Labels.APP, app));
    return pods.stream().map(PodState::new).filter(pod -> pod.isControlledBy(uid)).toList();
  }

  /**
   * What is left of exactly this Job on the API server, for people: the Job itself, or pods that
   * may still be at work; empty when all of it is gone.
   *
   * @param app that the Job is labelled with
   */
  public Optional<String> remains(String namespace, String app, String name, String uid) {
    var pods =
        pods(namespace, app, name, uid).stream()
            .map(pod -> "pod %s: %s".formatted(pod.name(), pod.trouble()))
            .toList();
    return Rollout.firstFew(pods)
        .or(
            () ->
                find(namespace, name)
                    .filter(job -> uid.equals(job.uid()))
                    .map(job -> "it is being deleted"))
        .map(what -> "Job %s: %s".formatted(name, what));
  }

  /** Deletes exactly this Job with its pods; it may already be gone. */
  public void delete(App app, String name, String uid) {
    objects.deleteAfterPods(
        app,
        new JobBuilder()
            .withNewMetadata()
            .withNamespace(app.getMetadata().getNamespace())
            .withName(name)
            .withUid(uid)
            .endMetadata()
            .build());
  }
}
