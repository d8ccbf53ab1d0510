package io.middleware.engine.activities.actions;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.util.List;

/** The Jobs of a namespace, as their controller would keep them. */
record FakeJobs(LocalNamespace cluster) {

  List<Job> all() {
    return cluster.client().resources(Job.class).inNamespace(cluster.namespace()).list().getItems();
  }

  /** Says that the Job has ended, as its controller would. */
  void end(Job job, String type, String reason, String message) {
    var now = "2026-01-01T00:00:00Z";
    cluster
        .client()
        .resource(job)
        .editStatus(
            it ->
                new JobBuilder(it)
                    .withNewStatus()
                    .withStartTime(now)
                    .withCompletionTime(type.equals("Complete") ? now : null)
                    .addNewCondition()
                    .withType(type.equals("Complete") ? "SuccessCriteriaMet" : "FailureTarget")
                    .withStatus("True")
                    .endCondition()
                    .addNewCondition()
                    .withType(type)
                    .withStatus("True")
                    .withReason(reason)
                    .withMessage(message)
                    .endCondition()
                    .endStatus()
                    .build());
  }

  /** As the garbage collector does when none of its pods is left. */
  void collect(Job job) {
    cluster
        .named(Job.class, job.getMetadata().getName())
        .edit(it -> new JobBuilder(it).editMetadata().withFinalizers().endMetadata().build());
  }

  /** One that runs. */
  Pod createPod(Job job) {
    return createPod(
        job,
        "Running",
        new ContainerStateBuilder()
            .withNewRunning()
            .withStartedAt("2026-01-01T00:00:00Z")
            .endRunning()
            .build());
  }

  void createPod(Job job, String phase, int code, String words) {
    createPod(
        job,
        phase,
        new ContainerStateBuilder()
            .withNewTerminated()
            .withExitCode(code)
            .withReason(code == 0 ? "Completed" : "Error")
            .withMessage(words)
            .endTerminated()
            .build());
  }

  Pod createPod(Job job, String phase, ContainerState state) {
    var metadata = job.getMetadata();
    var pod =
        cluster.create(
            new PodBuilder()
                .withNewMetadata()
                .withName(metadata.getName() + "-x")
                .withLabels(job.getSpec().getTemplate().getMetadata().getLabels())
                .addNewOwnerReference()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName(metadata.getName())
                .withUid(metadata.getUid())
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withSpec(job.getSpec().getTemplate().getSpec())
                .build());
    return cluster
        .client()
        .resource(pod)
        .editStatus(
            it ->
                new PodBuilder(it)
                    .withNewStatus()
                    .withPhase(phase)
                    .addNewContainerStatus()
                    .withName("check")
                    .withImage("redis:7.0")
                    .withImageID("")
                    .withReady(false)
                    .withRestartCount(0)
                    .withState(state)
                    .endContainerStatus()
                    .endStatus()
                    .build());
  }
}
