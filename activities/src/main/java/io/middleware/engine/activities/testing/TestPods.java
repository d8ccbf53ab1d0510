package io.middleware.engine.activities.testing;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.JobState;
import io.middleware.engine.cluster.JobTrouble;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.process.pods.ObjectEvents;
import io.temporal.failure.ApplicationFailure;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Why the pods of objects of a test do not run, and its Apps are not ready, for people.
 *
 * @param objects read as the test's service account
 * @param events by the engine's own rights: only those of objects that the account may read
 */
public record TestPods(TestObjects objects, ObjectEvents events) {
  private static final String JOB_OF_POD = "batch.kubernetes.io/job-name";
  private static final KubernetesSerialization OBJECTS = new KubernetesSerialization();

  /** What keeps the objects of these manifests from being ready; empty when nothing does. */
  public Optional<String> trouble(List<Manifest> manifests) {
    return Rollout.firstFew(
        manifests.stream()
            .flatMap(manifest -> readable(manifest).stream())
            .flatMap(found -> trouble(found).stream())
            .distinct()
            .toList());
  }

  /** Another step of the test says that it cannot be read. */
  private Optional<GenericKubernetesResource> readable(Manifest manifest) {
    try {
      return objects.find(manifest);
    } catch (ApplicationFailure e) {
      return Optional.empty();
    }
  }

  private Optional<String> trouble(GenericKubernetesResource found) {
    return switch (found.getKind()) {
      case "App" -> ofApp(found);
      case "Job" ->
          Optional.of(new JobState(OBJECTS.convertValue(found, Job.class)))
              .filter(job -> !job.hasEnded())
              .map(this::ofJob);
      case "Pod" -> ofPod(OBJECTS.convertValue(found, Pod.class), PodState::isReady);
      case "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet" -> ofController(found);
      default -> Optional.empty();
    };
  }

  private static Optional<String> ofApp(GenericKubernetesResource found) {
    var app = OBJECTS.convertValue(found, App.class);
    return Optional.ofNullable(app.getStatus()).map(it -> it.conditions()).stream()
        .flatMap(List::stream)
        .filter(it -> "Ready".equals(it.getType()) && !"True".equals(it.getStatus()))
        .map(it -> "App %s: %s".formatted(app.getMetadata().getName(), it.getMessage()))
        .findFirst();
  }

  /** What a Job that has not ended waits for. */
  public String ofJob(JobState job) {
    return new JobTrouble(
            job,
            list(Map.of(JOB_OF_POD, job.name())).stream()
                .filter(pod -> pod.isControlledBy(job.job()))
                .toList(),
            () -> events.refusedCreation(job.job(), Optional.empty()))
        .text();
  }

  /**
   * @param enough whether nothing more is expected of it
   */
  public Optional<String> ofPod(Pod pod, Predicate<PodState> enough) {
    var state = new PodState(pod, events.of(pod));
    return enough.test(state) || state.hasEnded()
        ? Optional.empty()
        : Optional.of("pod %s: %s".formatted(state.name(), state.trouble()));
  }

  /** Why pods of a controller are missing or not ready; empty when nothing is known. */
  public Optional<String> ofController(GenericKubernetesResource found) {
    var pods =
        list(selector(found)).stream()
            .filter(pod -> !pod.isReady() && !pod.hasEnded())
            .map(pod -> "pod %s: %s".formatted(pod.name(), pod.trouble()))
            .toList();
    return Rollout.firstFew(pods).or(() -> refused(found));
  }

  private Optional<String> refused(GenericKubernetesResource found) {
    return found.getKind().equals("Deployment")
        ? Rollout.refused(OBJECTS.convertValue(found, Deployment.class)).map(PlainText::clean)
        : events
            .refusedCreation(found, Optional.empty())
            .map(
                why ->
                    "%s %s: a pod %s"
                        .formatted(found.getKind(), found.getMetadata().getName(), why));
  }

  private static Map<String, String> selector(GenericKubernetesResource found) {
    var labels = new TreeMap<String, String>();
    if (found.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec
        && spec.get("selector") instanceof Map<?, ?> selector
        && selector.get("matchLabels") instanceof Map<?, ?> given) {
      given.forEach((key, value) -> labels.put(String.valueOf(key), String.valueOf(value)));
    }
    return labels;
  }

  /** With what events say of them; none when the account may not read them. */
  private List<PodState> list(Map<String, String> labels) {
    if (labels.isEmpty()) {
      return List.of();
    }
    try {
      return objects.list("v1", "Pod", labels).stream()
          .map(found -> OBJECTS.convertValue(found, Pod.class))
          .map(pod -> new PodState(pod, events.of(pod)))
          .sorted(Comparator.comparing(PodState::name, NaturalOrder.OF_NAMES))
          .toList();
    } catch (ApplicationFailure e) {
      return List.of();
    }
  }
}
