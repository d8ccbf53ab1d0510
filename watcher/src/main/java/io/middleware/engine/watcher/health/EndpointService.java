package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.AppEndpoint;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Endpoint;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Service for applications, as it was deployed.
 *
 * @param connection the Secret with what a client needs; empty when it needs nothing
 */
public record EndpointService(
    String name,
    String uid,
    String component,
    String group,
    Endpoint endpoint,
    Optional<String> connection) {

  /** Those among the objects of an App, in the order of their names. */
  public static List<EndpointService> among(Stream<? extends HasMetadata> objects) {
    return objects
        .filter(object -> "Service".equals(object.getKind()) && !object.isMarkedForDeletion())
        .flatMap(object -> of(object).stream())
        .sorted(Comparator.comparing(EndpointService::name))
        .toList();
  }

  /** Whether it leads to pods of this group. */
  public boolean isOf(Group other) {
    return component.equals(GroupStates.label(other, Labels.COMPONENT))
        && group.equals(GroupStates.label(other, Labels.GROUP));
  }

  /** For people and programs. */
  AppEndpoint inStatus(String namespace) {
    return new AppEndpoint(
        endpoint.name(),
        component,
        group,
        "%s.%s.svc".formatted(name, namespace),
        endpoint.port(),
        endpoint.role().label(),
        connection.orElse(null),
        endpoint.tls() == null ? null : true);
  }

  private static Optional<EndpointService> of(HasMetadata service) {
    var meta = service.getMetadata();
    return Optional.of(GroupStates.annotation(service, Labels.ENDPOINT))
        .flatMap(Endpoint::parse)
        .map(
            endpoint ->
                new EndpointService(
                    meta.getName(),
                    meta.getUid(),
                    GroupStates.label(service, Labels.COMPONENT),
                    GroupStates.label(service, Labels.GROUP),
                    endpoint,
                    Optional.of(GroupStates.annotation(service, Labels.CONNECTION))
                        .filter(secret -> !secret.isEmpty())));
  }
}
