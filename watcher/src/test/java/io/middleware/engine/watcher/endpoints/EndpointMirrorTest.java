package io.middleware.engine.watcher.endpoints;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.crashed;
import static io.middleware.engine.watcher.Objects.group;
import static io.middleware.engine.watcher.Objects.pod;
import static io.middleware.engine.watcher.Objects.ready;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.plugin.Endpoint;
import io.middleware.engine.api.plugin.EndpointRole;
import io.middleware.engine.process.pods.PodReports;
import io.middleware.engine.watcher.health.AppObservation;
import io.middleware.engine.watcher.health.EndpointService;
import io.middleware.engine.watcher.health.ExistingObjects;
import io.middleware.engine.watcher.health.HeardRole;
import io.middleware.engine.watcher.health.KnownRoles;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndpointMirrorTest {
  private static final EndpointService RO = service("ro", EndpointRole.REPLICA);
  private static final EndpointService RW = service("rw", EndpointRole.PRIMARY);

  /** The code with which each slice is refused. */
  private final Map<String, Integer> refused = new HashMap<>();

  private final Map<String, EndpointSlice> written = new HashMap<>();
  private final EndpointMirror mirror =
      new EndpointMirror(
          (desired, before) -> {
            var name = desired.getMetadata().getName();
            if (refused.containsKey(name)) {
              throw new KubernetesClientException("refused", refused.get(name), null);
            }
            written.put(name, desired);
          });

  private final Group group = group("nodes", "shard-0", 2, RunState.RUNNING);
  private List<Pod> pods = List.of(node(0), node(1));

  @Test
  void shouldWriteASliceAfterOneThatIsRefused() {
    // Given
    refused.put("cache-ro-engine", 422);
    // When
    var retry = mirror(RO, RW);
    // Then
    assertThat(pods("cache-rw-engine")).containsExactly("p0");
    assertThat(retry).contains(Duration.ofMinutes(1));
  }

  @Test
  void shouldTryAgainSoonOnlyWhatMaySucceedSoon() {
    // Given
    refused.putAll(Map.of("cache-ro-engine", 403, "cache-rw-engine", 503));
    // Then
    assertThat(mirror(RO, RW)).contains(Duration.ofSeconds(2));
    assertThat(mirror(RO)).contains(Duration.ofMinutes(1));
    // and
    refused.put("cache-rw-engine", 429);
    assertThat(mirror(RW)).contains(Duration.ofSeconds(2));
  }

  @Test
  void shouldNameTheServicesWhoseSlicesAreNotWritten() {
    // Given
    refused.putAll(Map.of("cache-ro-engine", 403, "cache-rw-engine", 409));
    // When
    var problem = mirrored(RO, RW).problem().orElseThrow();
    // Then
    assertThat(problem.type()).isEqualTo("EndpointsOutdated");
    assertThat(problem.reason()).isEqualTo("SlicesNotWritten");
    assertThat(problem.message())
        .startsWith(
            "Service cache-ro may lead to a wrong pod: cannot write EndpointSlice cache-ro-engine, and tries again; if it is not the engine's, delete it")
        .contains("; Service cache-rw may lead to a wrong pod");
    // and when it may
    refused.clear();
    assertThat(mirrored(RO, RW).problem()).isEmpty();
  }

  @Test
  void shouldSayThatNoSlicesAreReadWhereAServiceFollowsARole() {
    // When
    var observed = observed(List.of(service("client", EndpointRole.ANY), RW));
    var mirrored = mirror.mirror(observed, Optional.empty());
    // Then
    assertThat(written).isEmpty();
    assertThat(mirrored.problem().orElseThrow().reason()).isEqualTo("SlicesNotRead");
    assertThat(mirrored.problem().orElseThrow().message())
        .startsWith("Service cache-rw leads to no pod");
  }

  @Test
  void shouldEmptyTheSliceOfAServiceThatLeadsToAnyPodNow() {
    // Given
    mirror(RW);
    // When
    mirror(service("rw", EndpointRole.ANY));
    // Then
    assertThat(pods("cache-rw-engine")).isEmpty();
  }

  @Test
  void shouldWriteNoSliceOfAServiceThatLeadsToAnyPod() {
    assertThat(mirror(service("rw", EndpointRole.ANY))).isEmpty();
    assertThat(written).isEmpty();
  }

  @Test
  void shouldForgetTheTermWhenTheLastPodIsGoneAndNotBefore() {
    // Given
    mirror(RW);
    // When
    pods = List.of(crashed(builder(0)));
    mirror(RW);
    // Then
    assertThat(written.get("cache-rw-engine").getMetadata().getAnnotations())
        .containsEntry(Labels.SERVED_TERM, "7");
    // and
    pods = List.of();
    mirror(RW);
    assertThat(written.get("cache-rw-engine").getMetadata().getAnnotations()).isEmpty();
  }

  private Optional<Duration> mirror(EndpointService... services) {
    return mirrored(services).retry();
  }

  private EndpointMirror.Mirrored mirrored(EndpointService... services) {
    return mirror.mirror(observed(List.of(services)), Optional.of(List.copyOf(written.values())));
  }

  private AppObservation observed(List<EndpointService> services) {
    return new AppObservation(
        app(1),
        List.of(),
        List.of(group),
        pods,
        new KnownRoles(
            Map.of(),
            Map.of(),
            Map.of(
                "uid-p0",
                new HeardRole("primary", 7, true),
                "uid-p1",
                new HeardRole("replica", 7, true))),
        List.of(),
        List.of(),
        List.of(),
        PodReports.NONE,
        ExistingObjects.of(item -> true, List.of()),
        List.of(),
        services);
  }

  private List<String> pods(String slice) {
    return written.get(slice).getEndpoints().stream()
        .map(endpoint -> endpoint.getTargetRef().getName())
        .toList();
  }

  private static EndpointService service(String name, EndpointRole role) {
    return new EndpointService(
        "cache-" + name,
        "uid-" + name,
        "nodes",
        "shard-0",
        new Endpoint(name, role, 6379),
        Optional.empty());
  }

  private static Pod node(int number) {
    return ready(builder(number));
  }

  private static PodBuilder builder(int number) {
    return pod("nodes", "shard-0", "p" + number)
        .editStatus()
        .withPodIP("10.0.0." + number)
        .endStatus();
  }
}
