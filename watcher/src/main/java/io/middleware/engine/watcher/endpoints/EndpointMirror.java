package io.middleware.engine.watcher.endpoints;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.plugin.EndpointRole;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.watcher.cache.LruCache;
import io.middleware.engine.watcher.health.AppObservation;
import io.middleware.engine.watcher.health.EndpointService;
import io.middleware.engine.watcher.health.HealthProblem;
import io.middleware.engine.watcher.health.PodHealth;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
  private static final int LONGEST_CAUSE = 500;

  private final SliceWriter writer;

  /** By EndpointSlice, the one that was logged last. */
  private final LruCache<ResourceID, String> problems = new LruCache<>();

  public EndpointMirror(SliceWriter writer) {
    this.writer = writer;
  }

  /**
   * What has come of it.
   *
   * @param retry when to try again what could not be written
   * @param problem why the Services of the App may lead to a wrong pod
   */
  public record Mirrored(Optional<Duration> retry, Optional<HealthProblem> problem) {
    static final Mirrored DONE = new Mirrored(Optional.empty(), Optional.empty());

    /** Of all of an App together: those of one reason. */
    static Mirrored together(List<Mirrored> all) {
      return new Mirrored(
          all.stream().flatMap(it -> it.retry.stream()).min(Duration::compareTo),
          HealthProblem.together(all.stream().flatMap(it -> it.problem.stream()).toList()));
    }
  }

  /**
   * Writes what has changed.
   *
   * @param slices those of the App that exist; empty: none may be read, so none may be written
   */
  public Mirrored mirror(AppObservation observed, Optional<List<EndpointSlice>> slices) {
    return Mirrored.together(
        observed.endpoints().stream()
            .map(
                service ->
                    slices
                        .map(existing -> mirror(observed, service, existing))
                        .orElseGet(() -> unread(service)))
            .toList()); // each one, also after one that cannot be written
  }

  private static Mirrored unread(EndpointService service) {
    return service.endpoint().role() == EndpointRole.ANY
        ? Mirrored.DONE
        : new Mirrored(
            Optional.empty(),
            Optional.of(
                problem(
                    Reasons.SLICES_NOT_READ,
                    "Service %s leads to no pod, or to the one of before: the watcher may not list EndpointSlices; give it the roles of its version's chart, and restart it",
                    service.name())));
  }

  private Mirrored mirror(
      AppObservation observed, EndpointService service, List<EndpointSlice> slices) {
    var meta = observed.app().getMetadata();
    var group = observed.groups().stream().filter(it -> isOf(it, service)).findFirst();
    if (group.isEmpty()) {
      return Mirrored.DONE; // not read yet, or being removed together with its Service
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
    return isAsDesired ? Mirrored.DONE : write(service, desired, before);
  }

  /** A version that is not the newest one is read again anyway, and that triggers the next try. */
  private Mirrored write(
      EndpointService service, EndpointSlice desired, Optional<EndpointSlice> before) {
    try {
      writer.write(desired, before);
      problems.remove(id(desired));
      return Mirrored.DONE;
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT && before.isPresent()) {
        return Mirrored.DONE;
      }
      var problem = unwritten(service, desired, String.valueOf(e.getMessage()));
      warnOnce(desired, problem.message());
      return new Mirrored(Optional.of(isRefused(e) ? AFTER_REFUSAL : RETRY), Optional.of(problem));
    }
  }

  /** Only a person can change that. */
  private static boolean isRefused(KubernetesClientException e) {
    return e.getCode() / 100 == 4 && e.getCode() != TOO_MANY_REQUESTS;
  }

  private static HealthProblem unwritten(
      EndpointService service, EndpointSlice desired, String cause) {
    return problem(
        Reasons.SLICES_NOT_WRITTEN,
        "Service %s may lead to a wrong pod: cannot write EndpointSlice %s, and tries again; if it is not the engine's, delete it; if this is forbidden, give the watcher the roles of its version's chart: %s",
        service.name(),
        desired.getMetadata().getName(),
        PlainText.clean(cause, LONGEST_CAUSE));
  }

  private static HealthProblem problem(String reason, String text, Object... names) {
    return new HealthProblem(Reasons.ENDPOINTS_OUTDATED, reason, text.formatted(names));
  }

  /** Not at each attempt. */
  private void warnOnce(EndpointSlice desired, String problem) {
    if (problems.get(id(desired)).filter(problem::equals).isEmpty()) {
      problems.put(id(desired), problem);
      LOG.atWarn()
          .addKeyValue("namespace", desired.getMetadata().getNamespace())
          .log("{}", problem);
    }
  }

  private static ResourceID id(EndpointSlice slice) {
    return ResourceID.fromResource(slice);
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
    return service.isOf(group) && !group.isMarkedForDeletion();
  }

  private static boolean isSame(String label, Pod pod, Group group) {
    return Objects.equals(
        pod.getMetadata().getLabels().get(label), group.getMetadata().getLabels().get(label));
  }
}
