package io.middleware.engine.activities.testing.load;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.util.List;

/** The Job of a workload, as controllers would keep it. */
record LoadJob(LocalNamespace cluster) {

  Job now() {
    return cluster.named(Job.class, "bench").get();
  }

  /** Says that its pod runs, if it is there. */
  void start() {
    var job = now();
    if (job == null || job.isMarkedForDeletion() || !job.getStatus().getConditions().isEmpty()) {
      return;
    }
    try {
      cluster
          .client()
          .resource(job)
          .editStatus(
              it ->
                  new JobBuilder(it)
                      .withNewStatus()
                      .withStartTime("2026-01-01T00:00:00Z")
                      .withActive(1)
                      .withReady(1)
                      .endStatus()
                      .build());
    } catch (KubernetesClientException e) {
      // it was deleted meanwhile
    }
  }

  /** Says that the Job has ended, as its controller would. */
  void end(String type, String reason) {
    var time = "2026-01-01T00:00:00Z";
    var completed = type.equals("Complete");
    cluster
        .client()
        .resource(now())
        .editStatus(
            it ->
                new JobBuilder(it)
                    .withNewStatus()
                    .withStartTime(time)
                    .withCompletionTime(completed ? time : null)
                    .addNewCondition()
                    .withType(completed ? "SuccessCriteriaMet" : "FailureTarget")
                    .withStatus("True")
                    .endCondition()
                    .addNewCondition()
                    .withType(type)
                    .withStatus("True")
                    .withReason(reason)
                    .endCondition()
                    .endStatus()
                    .build());
  }

  void createPod(int code, String words) {
    var job = now();
    var pod =
        cluster.create(
            new PodBuilder()
                .withNewMetadata()
                .withName("bench-x")
                .addToLabels("batch.kubernetes.io/job-name", "bench")
                .addNewOwnerReference()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName("bench")
                .withUid(job.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withSpec(job.getSpec().getTemplate().getSpec())
                .build());
    end(pod, code, words);
  }

  private void end(Pod pod, int code, String words) {
    cluster
        .client()
        .resource(pod)
        .editStatus(
            it ->
                new PodBuilder(it)
                    .withNewStatus()
                    .withPhase("Failed")
                    .addNewContainerStatus()
                    .withName("bench")
                    .withImage("redis:7.2")
                    .withImageID("")
                    .withReady(false)
                    .withRestartCount(0)
                    .withNewState()
                    .withNewTerminated()
                    .withExitCode(code)
                    .withReason("Error")
                    .withMessage(words)
                    .endTerminated()
                    .endState()
                    .endContainerStatus()
                    .endStatus()
                    .build());
  }

  /** Lets a Job go whose deletion waits for its pods, as the garbage collector would. */
  void collect() {
    cluster.await().until(() -> now() != null && now().isMarkedForDeletion());
    cluster
        .client()
        .resource(now())
        .edit(
            it -> {
              it.getMetadata().setFinalizers(List.of());
              return it;
            });
  }
}
