package io.middleware.engine.watcher.endpoints;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.watcher.health.AppObservation;
import io.middleware.engine.watcher.health.EndpointService;
import io.middleware.engine.watcher.health.PodHealth;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the addresses behind the Services that follow a role. It writes only to the version of an
 * EndpointSlice that it has read: one that it, or an earlier leader, has changed meanwhile is read
 * again first.
 */
public final class EndpointMirror {
  /** Selects the EndpointSlices that it keeps. */
  public static final String SELECTOR =
      Labels.APP + "," + RoleSlices.MANAGER + "=" + RoleSlices.ENGINE;

  private static final Logger LOG = LoggerFactory.getLogger(EndpointMirror.class);
  private static final Duration RETRY = Duration.ofSeconds(2);
  private static final Duration AFTER_REFUSAL = Duration.ofMinutes(1);
  private static final int TOO_MANY_REQUESTS = 429;

  private final SliceWriter writer;
  private final AtomicReference<String> lastProblem = new AtomicReference<>("");

  public EndpointMirror(SliceWriter writer) {
    this.writer = writer;
  }

  /**
   * Writes what has changed.
   *
   * @param slices those of the App that exist
   * @return when to try again what could not be written
   */
  public Optional<Duration> mirror(AppObservation observed, List<EndpointSlice> slices) {
    return observed.endpoints().stream()
        .map(service -> mirror(observed, service, slices))
        .toList() // each one, also after one that cannot be written
        .stream()
        .flatMap(Optional::stream)
        .min(Duration::compareTo);
  }

  private Optional<Duration> mirror(
      AppObservation observed, EndpointService service, List<EndpointSlice> slices) {
    var meta = observed.app().getMetadata();
    var group = observed.groups().stream().filter(it -> isOf(it, service)).findFirst();
    if (group.isEmpty()) {
      return Optional.empty(); // not read yet, or being removed together with its Service
    }
    var before =
        slices.stream()
            .filter(it -> it.getMetadata().getName().equals(RoleSlices.name(service)))
            .findFirst();
    var desired =
        new RoleSlices(meta.getNamespace(), meta.getName())
            .desired(service, choice(observed, group.get()), before);
    var isAsDesired =
        before
            .map(now -> RoleSlices.isAsDesired(now, desired))
            .orElseGet(() -> RoleSlices.isEmpty(desired));
    return isAsDesired ? Optional.empty() : write(desired, before);
  }

  /** A version that is not the newest one is read again anyway, and that triggers the next try. */
  private Optional<Duration> write(EndpointSlice desired, Optional<EndpointSlice> before) {
    try {
      writer.write(desired, before);
      return Optional.empty();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT && before.isPresent()) {
        return Optional.empty();
      }
      warnOnce(desired, String.valueOf(e.getMessage()));
      return Optional.of(isRefused(e) ? AFTER_REFUSAL : RETRY);
    }
  }

  /** Only a person can change that. */
  private static boolean isRefused(KubernetesClientException e) {
    return e.getCode() / 100 == 4 && e.getCode() != TOO_MANY_REQUESTS;
  }

  /** Not at each attempt. */
  private void warnOnce(EndpointSlice desired, String cause) {
    if (!cause.equals(lastProblem.getAndSet(cause))) {
      LOG.atWarn()
          .addKeyValue("namespace", desired.getMetadata().getNamespace())
          .addKeyValue("cause", cause)
          .log(
              "cannot write EndpointSlice {}, so its Service may lead to a wrong pod; trying again. If it is not the engine's, delete it; if this is forbidden, give the watcher the roles of its version's chart",
              desired.getMetadata().getName());
    }
  }

  private static PrimaryChoice choice(AppObservation observed, Group group) {
    var nodes =
        observed.pods().stream()
            .filter(pod -> isSame(Labels.COMPONENT, pod, group) && isSame(Labels.GROUP, pod, group))
            .filter(pod -> new PodHealth(pod, "").isNodeOf(group))
            .toList();
    var members =
        nodes.stream()
            .filter(pod -> pod.getStatus().getPodIP() != null)
            .filter(pod -> new PodHealth(pod, "").isReady())
            .map(pod -> member(observed, pod))
            .toList();
    return new PrimaryChoice(members, desired(group), nodes.size());
  }

  private static Member member(AppObservation observed, Pod pod) {
    var meta = pod.getMetadata();
    var claim = Optional.ofNullable(observed.roles().claims().get(meta.getUid()));
    return new Member(
        meta.getUid(),
        meta.getName(),
        pod.getStatus().getPodIP(),
        claim.map(it -> it.role()).orElse(""),
        claim.map(it -> it.term()).orElse(0L),
        claim.filter(it -> it.heard()).isPresent());
  }

  private static int desired(Group group) {
    var spec = group.getSpec();
    if (spec != null && spec.isStopped()) {
      return 0;
    }
    return spec == null || spec.replicas() == null ? 1 : spec.replicas();
  }

  private static boolean isOf(Group group, EndpointService service) {
    var labels = group.getMetadata().getLabels();
    return service.component().equals(labels.get(Labels.COMPONENT))
        && service.group().equals(labels.get(Labels.GROUP))
        && !group.isMarkedForDeletion();
  }

  private static boolean isSame(String label, Pod pod, Group group) {
    return Objects.equals(
        pod.getMetadata().getLabels().get(label), group.getMetadata().getLabels().get(label));
  }
}
