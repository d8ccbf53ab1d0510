package io.middleware.engine.render.guard;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Pods stay in their sandbox: no access to the host, no added privileges, no foreign service
 * account.
 */
record PodRule(Set<String> serviceAccounts) implements GuardRule {
  private static final List<String> VOLUMES =
      List.of(
          "name",
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "persistentVolumeClaim",
          "projected",
          "secret");
  private static final List<?> OFF = List.of(false);

  @Override
  public void inspect(InspectedObject object) {
    object
        .podSpecs()
        .forEach(
            pod -> {
              host(object, pod);
              identity(object, pod);
              pod.at("volumes").items().forEach(volume -> volume(object, volume));
              InspectedObject.containers(pod).forEach(container -> container(object, container));
            });
  }

  private static void host(InspectedObject object, TreeCursor pod) {
    Stream.of("hostNetwork", "hostPID", "hostIPC")
        .map(pod::at)
        .forEach(field -> object.allowOnly(field, OFF, "pods share nothing with their host"));
    object.refuseIfPresent(pod.at("nodeName"), "the scheduler chooses the node; use affinity");
    if (pod.at("priorityClassName").text().startsWith("system-")) {
      object.refuse(pod.at("priorityClassName"), "classes of the cluster itself are not for Apps");
    }
    windows(object, pod.at("securityContext"));
  }

  private void identity(InspectedObject object, TreeCursor pod) {
    var allowed =
        serviceAccounts.isEmpty()
            ? "leave it out, or declare a ServiceAccount in the templates"
            : "use " + String.join(" or ", serviceAccounts.stream().sorted().toList());
    object.allowOnly(pod.at("serviceAccountName"), serviceAccounts, allowed);
    object.allowOnly(pod.at("serviceAccount"), serviceAccounts, allowed);
  }

  private static void volume(InspectedObject object, TreeCursor volume) {
    volume
        .fields()
        .filter(type -> VOLUMES.stream().noneMatch(allowed -> volume.at(allowed).equals(type)))
        .forEach(
            type ->
                object.refuse(
                    type, "use a PersistentVolumeClaim, a ConfigMap, a Secret or emptyDir"));
    volume
        .at("projected", "sources")
        .items()
        .map(source -> source.at("serviceAccountToken", "audience"))
        .forEach(
            audience ->
                object.refuseIfPresent(
                    audience, "tokens are for the API server only; leave it out"));
  }

  private static void container(InspectedObject object, TreeCursor container) {
    var security = container.at("securityContext");
    Stream.of("privileged", "allowPrivilegeEscalation")
        .map(security::at)
        .forEach(field -> object.allowOnly(field, OFF, "containers may not gain privileges"));
    security
        .at("capabilities", "add")
        .items()
        .forEach(
            added -> object.allowOnly(added, List.of("NET_BIND_SERVICE"), "NET_BIND_SERVICE only"));
    object.allowOnly(security.at("procMount"), List.of("Default"), "Default only");
    windows(object, security);
    container
        .at("ports")
        .items()
        .forEach(
            port -> object.allowOnly(port.at("hostPort"), List.of(0), "use a Service instead"));
  }

  private static void windows(InspectedObject object, TreeCursor security) {
    object.allowOnly(
        security.at("windowsOptions", "hostProcess"), OFF, "containers may not be host processes");
  }
}
