package io.middleware.engine.render.guard;

import java.util.List;

/**
 * A Service may not open node ports or take external addresses; a Secret may not request a token.
 */
final class ExposureRule implements GuardRule {
  private static final List<String> SERVICE_TYPES =
      List.of("ClusterIP", "LoadBalancer", "ExternalName");

  @Override
  public void inspect(InspectedObject object) {
    if (object.is(KnownKinds.SERVICE)) {
      object.allowOnly(
          object.at("spec", "type"), SERVICE_TYPES, "one of " + String.join(", ", SERVICE_TYPES));
      object.refuseIfPresent(
          object.at("spec", "externalIPs"), "use type LoadBalancer for access from outside");
      object.allowOnly(
          object.at("spec", "healthCheckNodePort"),
          List.of(0),
          "the cluster chooses it; leave it out");
      object.allowOnly(
          object.at("spec", "clusterIP"), List.of("", "None"), "None, or leave it out");
      object
          .at("spec", "clusterIPs")
          .items()
          .forEach(ip -> object.allowOnly(ip, List.of("None"), "None, or leave it out"));
      object
          .at("spec", "ports")
          .items()
          .forEach(port -> object.allowOnly(port.at("nodePort"), List.of(0), "leave it out"));
    }
    if (object.is(KnownKinds.SECRET)
        && object.at("type").text().equals("kubernetes.io/service-account-token")) {
      object.refuse(object.at("type"), "only a pod's own service account provides tokens");
    }
  }
}
