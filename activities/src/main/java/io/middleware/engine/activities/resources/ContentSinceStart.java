package io.middleware.engine.activities.resources;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.activities.objects.ObservedStatefulSet;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.secrets.ContentTime;
import io.middleware.engine.cluster.status.EngineEvent;
import io.middleware.engine.cluster.status.EventRecorder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Tells of Secrets and ConfigMaps that containers have read when they started, and that others have
 * changed since: a password that was rotated. They are read as the App's account; of what that may
 * not read, nothing is said.
 */
final class ContentSinceStart {
  private final ImpersonatedClients readers;
  private final EventRecorder events;

  ContentSinceStart(ImpersonatedClients readers, EventRecorder events) {
    this.readers = readers;
    this.events = events;
  }

  /** Records an event for each object that has changed; one for the same content. */
  void report(App app, List<ObservedStatefulSet> sets) {
    var reads = new TreeMap<String, List<Read>>();
    sets.stream()
        .flatMap(set -> set.pods().stream())
        .filter(pod -> !pod.isTerminating())
        .flatMap(pod -> reads(pod.pod()))
        .forEach(read -> reads.merge(read.object(), List.of(read), ContentSinceStart::both));
    var reader = readers.of(app);
    reads.forEach(
        (name, all) ->
            find(reader, app.getMetadata().getNamespace(), name)
                .filter(object -> !isOfApp(object))
                .ifPresent(object -> report(app, object, all)));
  }

  /**
   * That a container has read an object.
   *
   * @param object kind and name, as {@code Secret/users}
   */
  private record Read(String object, String pod, Instant time) {}

  private static List<Read> both(List<Read> some, List<Read> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private static Stream<Read> reads(Pod pod) {
    return pod.getSpec().getContainers().stream()
        .flatMap(
            container ->
                started(pod, container).stream()
                    .flatMap(
                        time ->
                            PodReferences.atStart(pod, container).names().stream()
                                .map(name -> new Read(name, pod.getMetadata().getName(), time))));
  }

  /** When the container has started that runs now. */
  private static Optional<Instant> started(Pod pod, Container container) {
    return pod.getStatus().getContainerStatuses().stream()
        .filter(status -> status.getName().equals(container.getName()))
        .map(status -> status.getState() == null ? null : status.getState().getRunning())
        .filter(running -> running != null && running.getStartedAt() != null)
        .map(running -> Instant.parse(running.getStartedAt()))
        .findFirst();
  }

  private static Optional<HasMetadata> find(
      KubernetesClient reader, String namespace, String name) {
    var parts = name.split("/", 2);
    var type = parts[0].equals("Secret") ? Secret.class : ConfigMap.class;
    try {
      return Optional.ofNullable(
          reader.resources(type).inNamespace(namespace).withName(parts[1]).get());
    } catch (KubernetesClientException e) {
      return Optional.empty();
    }
  }

  /** The engine itself changes these, and knows what it takes. */
  private static boolean isOfApp(HasMetadata object) {
    var labels = object.getMetadata().getLabels();
    return labels != null && labels.containsKey(Labels.APP);
  }

  private void report(App app, HasMetadata object, List<Read> reads) {
    var changed = ContentTime.of(object);
    var before =
        reads.stream()
            .filter(read -> changed.filter(read.time()::isBefore).isPresent())
            .map(Read::pod)
            .distinct()
            .collect(joining(", "));
    if (!before.isEmpty()) {
      events.record(app, event(object, changed.orElseThrow(), before));
    }
  }

  private static EngineEvent event(HasMetadata object, Instant changed, String pods) {
    var metadata = object.getMetadata();
    return new EngineEvent(
        "content/%s/%s".formatted(metadata.getUid(), metadata.getResourceVersion()),
        EngineEvent.Kind.WARNING,
        Reasons.CONTENT_CHANGED,
        "Reapply",
        "%s %s was changed at %s, after pods started that read it only then: restart them by an Operation of type Restart: %s"
            .formatted(object.getKind(), metadata.getName(), changed, pods));
  }
}
