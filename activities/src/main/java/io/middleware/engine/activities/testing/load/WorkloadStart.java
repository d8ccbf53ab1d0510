package io.middleware.engine.activities.testing.load;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.activities.testing.Manifest;
import io.middleware.engine.activities.testing.TestObjects;
import io.middleware.engine.activities.testing.TestPods;
import io.middleware.engine.cluster.JobState;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether each object of a workload that has pods has had one that runs: before, there is no load,
 * and no time of it passes.
 */
record WorkloadStart(TestObjects objects, List<Manifest> workload, TestPods pods) {
  private static final KubernetesSerialization OBJECTS = new KubernetesSerialization();

  /** What has not started yet, for people; empty when all has. */
  Optional<String> missing() {
    return Rollout.firstFew(
        workload.stream().flatMap(manifest -> missing(manifest).stream()).toList());
  }

  /** Whoever watches the load says of an object that it is gone. */
  private Optional<String> missing(Manifest manifest) {
    return objects.find(manifest).flatMap(found -> missing(manifest, found));
  }

  private Optional<String> missing(Manifest manifest, GenericKubernetesResource found) {
    return switch (manifest.kind()) {
      case "Job" -> ofJob(new JobState(OBJECTS.convertValue(found, Job.class)));
      case "Pod" -> pods.ofPod(OBJECTS.convertValue(found, Pod.class), PodState::isRunning);
      case "Deployment", "ReplicaSet", "StatefulSet" ->
          ofController(manifest, found, number(found, "spec", "replicas", 1) > 0, "readyReplicas");
      case "DaemonSet" -> ofController(manifest, found, true, "numberReady");
      default -> Optional.empty();
    };
  }

  private Optional<String> ofJob(JobState job) {
    return job.hasBegun() ? Optional.empty() : Optional.of(pods.ofJob(job));
  }

  private Optional<String> ofController(
      Manifest manifest, GenericKubernetesResource found, boolean hasPods, String ready) {
    return !hasPods || number(found, "status", ready, 0) > 0
        ? Optional.empty()
        : Optional.of(manifest + ": " + pods.ofController(found).orElse("has no ready pod yet"));
  }

  private static int number(
      GenericKubernetesResource found, String part, String field, int absent) {
    return found.getAdditionalProperties().get(part) instanceof Map<?, ?> fields
            && fields.get(field) instanceof Number number
        ? number.intValue()
        : absent;
  }
}
