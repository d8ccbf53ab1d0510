package io.middleware.engine.watcher.endpoints;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPortBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Role;
import io.middleware.engine.watcher.endpoints.PrimaryChoice.Served;
import io.middleware.engine.watcher.health.EndpointService;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The EndpointSlice of a Service that follows a role: one object, so that its addresses change all
 * at once.
 *
 * @param namespace of the App
 */
record RoleSlices(String namespace, String app) {
  static final String SERVICE = "kubernetes.io/service-name";
  static final String MANAGER = "endpointslice.kubernetes.io/managed-by";
  static final String ENGINE = "middleware-engine";

  private static final int MOST = 1000;

  static String name(EndpointService service) {
    return service.name() + "-engine";
  }

  /** As it should be, after what it was before. */
  EndpointSlice desired(
      EndpointService service, PrimaryChoice choice, Optional<EndpointSlice> before) {
    var members = choice.members();
    return switch (service.endpoint().role()) {
      case PRIMARY -> {
        var served = before.map(RoleSlices::served).orElse(Served.NOTHING);
        var next = choice.after(served);
        yield slice(service, served(members, next), next.term(), before);
      }
      case REPLICA -> slice(service, replicas(members), 0, before);
      case ANY -> slice(service, List.of(), 0, before); // Kubernetes finds the pods
    };
  }

  private static List<Member> served(List<Member> members, Served next) {
    return members.stream().filter(member -> next.uid().equals(Optional.of(member.uid()))).toList();
  }

  private static List<Member> replicas(List<Member> members) {
    return members.stream()
        .filter(member -> !member.role().isEmpty() && !member.role().equals(Role.PRIMARY))
        .sorted(Comparator.comparing(Member::name))
        .limit(MOST)
        .toList();
  }

  /** Whether there is nothing to write. */
  static boolean isAsDesired(EndpointSlice now, EndpointSlice desired) {
    return uids(now).equals(uids(desired))
        && addresses(now).equals(addresses(desired))
        && now.getPorts().equals(desired.getPorts())
        && now.getMetadata().getLabels().equals(desired.getMetadata().getLabels())
        && Optional.ofNullable(now.getMetadata().getAnnotations())
            .orElse(Map.of())
            .equals(desired.getMetadata().getAnnotations())
        && now.getMetadata()
            .getOwnerReferences()
            .equals(desired.getMetadata().getOwnerReferences());
  }

  /** Whether there is nothing to write as long as there is no slice. */
  static boolean isEmpty(EndpointSlice slice) {
    return endpoints(slice).isEmpty();
  }

  private static Served served(EndpointSlice slice) {
    var annotations = Optional.ofNullable(slice.getMetadata().getAnnotations()).orElse(Map.of());
    var term = annotations.getOrDefault(Labels.SERVED_TERM, "0");
    return new Served(
        uids(slice).stream().findFirst(), term.matches("\\d{1,18}") ? Long.parseLong(term) : 0);
  }

  private static List<String> uids(EndpointSlice slice) {
    return endpoints(slice).stream()
        .filter(endpoint -> endpoint.getTargetRef() != null)
        .map(endpoint -> String.valueOf(endpoint.getTargetRef().getUid()))
        .toList();
  }

  private static Map<String, Boolean> addresses(EndpointSlice slice) {
    return endpoints(slice).stream()
        .flatMap(it -> it.getAddresses().stream().map(ip -> Map.entry(ip, isReady(it))))
        .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a && b));
  }

  private static boolean isReady(Endpoint endpoint) {
    return endpoint.getConditions() != null
        && Boolean.TRUE.equals(endpoint.getConditions().getReady());
  }

  private static List<Endpoint> endpoints(EndpointSlice slice) {
    return slice.getEndpoints() == null ? List.of() : slice.getEndpoints();
  }

  private EndpointSlice slice(
      EndpointService service, List<Member> members, long term, Optional<EndpointSlice> before) {
    var labels = new TreeMap<>(Labels.selector(app, service.component(), service.group()));
    labels.put(SERVICE, service.name());
    labels.put(MANAGER, ENGINE);
    return new EndpointSliceBuilder()
        .withNewMetadata()
        .withName(name(service))
        .withNamespace(namespace)
        .withLabels(labels)
        .withAnnotations(term == 0 ? Map.of() : Map.of(Labels.SERVED_TERM, String.valueOf(term)))
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Service")
                .withName(service.name())
                .withUid(service.uid())
                .withController(true)
                .build())
        .endMetadata()
        .withAddressType(addressType(members, before))
        .withPorts(
            new EndpointPortBuilder()
                .withName(service.endpoint().name())
                .withPort(service.endpoint().port())
                .withProtocol("TCP")
                .build())
        .withEndpoints(members.stream().map(this::endpoint).toList())
        .build();
  }

  /** It never changes, so there is no slice before there is an address. */
  private static String addressType(List<Member> members, Optional<EndpointSlice> before) {
    return before
        .map(EndpointSlice::getAddressType)
        .orElseGet(() -> members.stream().findFirst().map(RoleSlices::addressType).orElse("IPv4"));
  }

  private static String addressType(Member member) {
    if (member.ip().contains(":")) {
      return "IPv6";
    }
    return isLoopback(member) ? "FQDN" : "IPv4";
  }

  /**
   * No slice may hold an address that is the same on each node, as pods of the local environment
   * have: it is a name instead.
   */
  private static String address(Member member) {
    return isLoopback(member) ? member.ip().replace('.', '-') + ".pod" : member.ip();
  }

  private static boolean isLoopback(Member member) {
    return member.ip().startsWith("127.");
  }

  private Endpoint endpoint(Member member) {
    return new EndpointBuilder()
        .withAddresses(address(member))
        .withNewConditions()
        .withReady(true)
        .withServing(true)
        .withTerminating(false)
        .endConditions()
        .withNewTargetRef()
        .withKind("Pod")
        .withName(member.name())
        .withNamespace(namespace)
        .withUid(member.uid())
        .endTargetRef()
        .build();
  }
}
