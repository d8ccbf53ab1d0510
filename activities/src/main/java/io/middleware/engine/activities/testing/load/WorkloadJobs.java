package io.middleware.engine.activities.testing.load;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.activities.actions.JobEnd;
import io.middleware.engine.activities.testing.Manifest;
import io.middleware.engine.activities.testing.TestObjects;
import io.middleware.engine.cluster.JobState;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Jobs of a workload: they say when the load has ended, and how. */
final class WorkloadJobs {
  private static final String JOB = "Job";
  private static final String JOB_OF_POD = "batch.kubernetes.io/job-name";
  private static final KubernetesSerialization OBJECTS = new KubernetesSerialization();

  private final TestObjects objects;
  private final List<Manifest> jobs;

  WorkloadJobs(TestObjects objects, List<Manifest> workload) {
    this.objects = objects;
    this.jobs = workload.stream().filter(WorkloadJobs::isJob).toList();
  }

  static boolean isJob(Manifest manifest) {
    return manifest.kind().equals(JOB) && manifest.apiVersion().startsWith("batch/");
  }

  /**
   * Whether all of them have completed; false when there is none.
   *
   * @throws ApplicationFailure with type WORKLOAD_FAILED when one has failed
   */
  boolean haveCompleted() {
    var states = jobs.stream().map(this::state).toList();
    var failed =
        states.stream()
            .filter(job -> job.hasEnded() && !job.hasSucceeded())
            .map(this::failure)
            .collect(joining("; "));
    if (!failed.isEmpty()) {
      throw failure(failed);
    }
    return !states.isEmpty() && states.stream().allMatch(JobState::hasSucceeded);
  }

  private JobState state(Manifest manifest) {
    return objects
        .find(manifest)
        .filter(objects::hasCreated)
        .map(found -> new JobState(OBJECTS.convertValue(found, Job.class)))
        .orElseThrow(() -> failure("%s is gone, and its result is unknown".formatted(manifest)));
  }

  private String failure(JobState job) {
    return pods(job)
        .map(pods -> "Job %s failed: %s".formatted(job.name(), JobEnd.of(job, pods).explained()))
        .orElseGet(
            () ->
                "Job %s failed: %s; its pods cannot be read".formatted(job.name(), job.failure()));
  }

  /** Empty when the account may not read them. */
  Optional<List<PodState>> pods(JobState job) {
    try {
      return Optional.of(
          objects.list("v1", "Pod", Map.of(JOB_OF_POD, job.name())).stream()
              .map(WorkloadJobs::pod)
              .filter(pod -> pod.isControlledBy(job.job()))
              .toList());
    } catch (ApplicationFailure e) {
      if (e.isNonRetryable()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static PodState pod(GenericKubernetesResource found) {
    return new PodState(OBJECTS.convertValue(found, Pod.class));
  }

  private static ApplicationFailure failure(String why) {
    return ApplicationFailure.newNonRetryableFailure(why, TestReasons.WORKLOAD_FAILED);
  }
}
