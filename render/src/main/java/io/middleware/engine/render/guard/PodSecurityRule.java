package io.middleware.engine.render.guard;

import java.util.List;
import java.util.stream.Stream;

/**
 * The rest of the Pod Security Standards beside {@link PodRule}: Baseline, and Restricted where the
 * plugin says so. What a template leaves out passes, because {@link RestrictedFields} are filled
 * in.
 */
record PodSecurityRule(boolean restricted) implements GuardRule {
  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final List<String> PROFILES = List.of("RuntimeDefault", "Localhost");
  private static final List<String> SELINUX_TYPES =
      List.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");
  private static final List<String> SYSCTLS =
      List.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.ip_local_reserved_ports",
          "net.ipv4.ip_unprivileged_port_start",
          "net.ipv4.ping_group_range",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes",
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_rmem",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.tcp_wmem");

  @Override
  public void inspect(InspectedObject object) {
    Stream.concat(Stream.of(object.root()), object.metadataTemplates())
        .flatMap(owner -> owner.at("metadata", "annotations").fields())
        .filter(annotation -> annotation.path().text().contains(APP_ARMOR))
        .forEach(annotation -> appArmor(object, annotation));
    object.podSpecs().forEach(pod -> pod(object, pod));
  }

  private static void appArmor(InspectedObject object, TreeCursor annotation) {
    if (!annotation.text().equals("runtime/default")
        && !annotation.text().startsWith("localhost/")) {
      object.refuse(annotation, "use runtime/default or localhost/…");
    }
  }

  private void pod(InspectedObject object, TreeCursor pod) {
    both(object, pod.at("securityContext"));
    pod.at("securityContext", "sysctls")
        .items()
        .forEach(
            sysctl -> object.allowOnly(sysctl.at("name"), SYSCTLS, "it reaches beyond the pod"));
    InspectedObject.containers(pod).forEach(container -> container(object, container));
  }

  private void container(InspectedObject object, TreeCursor container) {
    both(object, container.at("securityContext"));
    var hooks = Stream.of("postStart", "preStop").map(hook -> container.at("lifecycle").at(hook));
    var probes = Stream.of("livenessProbe", "readinessProbe", "startupProbe").map(container::at);
    Stream.concat(probes, hooks)
        .flatMap(
            handler -> Stream.of(handler.at("httpGet", "host"), handler.at("tcpSocket", "host")))
        .forEach(
            host -> object.allowOnly(host, List.of(""), "a pod asks only itself; leave it out"));
    var drop = container.at("securityContext", "capabilities", "drop");
    if (restricted && drop.exists() && drop.items().noneMatch(one -> one.text().equals("ALL"))) {
      object.refuse(drop, "must contain ALL, as the plugin's podSecurity is Restricted");
    }
  }

  /** What a pod and each of its containers may say. */
  private void both(InspectedObject object, TreeCursor security) {
    object.allowOnly(security.at("seccompProfile", "type"), PROFILES, either(PROFILES));
    object.allowOnly(security.at("appArmorProfile", "type"), PROFILES, either(PROFILES));
    var seLinux = security.at("seLinuxOptions");
    object.allowOnly(seLinux.at("type"), SELINUX_TYPES, "it is not for containers");
    Stream.of("user", "role")
        .map(seLinux::at)
        .forEach(field -> object.allowOnly(field, List.of(""), "leave it out"));
    if (restricted) {
      var why = "the plugin's podSecurity is Restricted";
      object.allowOnly(security.at("runAsNonRoot"), List.of(true), why);
      if (security.at("runAsUser").value() instanceof Number user && user.longValue() == 0) {
        object.refuse(security.at("runAsUser"), "0 is not allowed: " + why);
      }
    }
  }

  private static String either(List<String> values) {
    return "use " + String.join(" or ", values);
  }
}
