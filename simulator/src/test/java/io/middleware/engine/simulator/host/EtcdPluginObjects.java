package io.middleware.engine.simulator.host;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What the etcd Plugin of this checkout makes for the group {@code keys}, with a backup store. */
final class EtcdPluginObjects {
  static final String NAME = "keys";
  private static final Path PLUGIN = Path.of("../plugins/etcd/plugin.yaml");

  /** Its expressions, by a part of them. What is not named here is left out. */
  private static final Map<String, Object> VALUES =
      Map.of(
          "${images.etcd}", "etcd:any",
          "'BACKUP_STORE_FOLDER'",
              Map.of("name", "BACKUP_STORE_FOLDER", "value", "/etc/backup-store"),
          "{'name': 'backup-store', 'mountPath'",
              Map.of("name", "store", "mountPath", "/etc/backup-store"),
          "{'name': 'backups', 'mountPath'", Map.of("name", "backups", "mountPath", "/backups"),
          "{'name': 'backup-store', 'projected'",
              Map.of("name", "store", "configMap", Map.of("name", NAME + "-backup-store")),
          "{'name': 'backups', 'persistentVolumeClaim'",
              Map.of("name", "backups", "persistentVolumeClaim", Map.of("claimName", "backups")));

  private static final String WITH_PASSWORDS = "${'engine-password' in secrets ? optional.of(";

  /** With the Secrets {@code passwords} and {@code keys.accounts}. */
  private static final Map<String, Object> PASSWORDS =
      Map.of(
          "{'name': 'secrets', 'mountPath'", Map.of("name", "secrets", "mountPath", "/secrets"),
          "{'name': 'secrets-of-app', 'mountPath'",
              Map.of("name", "secrets-of-app", "mountPath", "/secrets-of-app"),
          "'AGENT_SECRETS_FOLDER'", Map.of("name", "AGENT_SECRETS_FOLDER", "value", "/secrets"),
          "{'name': 'secrets', 'projected'",
              Map.of(
                  "name",
                  "secrets",
                  "projected",
                  Map.of(
                      "sources",
                      List.of(
                          source("password", "accounts/password"),
                          source("engine-password", "accounts/engine-password"),
                          source("engine-password.previous", "previous/engine-password")))),
          "{'name': 'secrets-of-app', 'secret'",
              Map.of(
                  "name",
                  "secrets-of-app",
                  "secret",
                  Map.of("secretName", NAME + ".accounts", "optional", true)));

  private final List<Map<String, Object>> templates;
  private final boolean passwords;

  private EtcdPluginObjects(List<Map<String, Object>> templates, boolean passwords) {
    this.templates = templates;
    this.passwords = passwords;
  }

  /** The same for an App with passwords. */
  EtcdPluginObjects withPasswords() {
    return new EtcdPluginObjects(templates, true);
  }

  private static Map<String, Object> source(String key, String path) {
    return Map.of(
        "secret",
        Map.of(
            "name",
            "passwords",
            "optional",
            true,
            "items",
            List.of(Map.of("key", key, "path", path))));
  }

  static EtcdPluginObjects read() throws IOException {
    try (var file = Files.newInputStream(PLUGIN)) {
      var plugin = Serialization.unmarshal(file, GenericKubernetesResource.class);
      List<Map<String, Object>> all = plugin.get("spec", "componentTypes", 0, "templates");
      return new EtcdPluginObjects(all, false);
    }
  }

  /** What the agents call. */
  Map<String, String> commands() {
    var commands = new LinkedHashMap<String, String>();
    data("${name}-commands")
        .forEach(
            (file, text) -> {
              if (!file.startsWith("${")) {
                commands.put(file, text);
              } else if (file.startsWith(WITH_PASSWORDS) == passwords) {
                commands.put("role.http", text);
              }
            });
    return commands;
  }

  /**
   * @param members the number of members that the group has
   * @param restore what names the backup to begin with
   */
  Map<String, String> config(int members, String restore) {
    var data = new LinkedHashMap<>(data("${name}-config"));
    data.put(
        "cluster",
        IntStream.range(0, members)
            .mapToObj(n -> "%1$s-%2$d=http://%1$s-%2$d.%1$s:2380\n".formatted(NAME, n))
            .collect(joining()));
    data.put("flags", "--log-level=warn\n--quota-backend-bytes=67108864\n");
    data.put("token", "token\n");
    data.put("restore", restore);
    data.put("anonymous", "");
    return data;
  }

  private Map<String, String> data(String name) {
    return templates.stream()
        .map(one -> (Map<?, ?>) one.get("template"))
        .filter(one -> name.equals(((Map<?, ?>) one.get("metadata")).get("name")))
        .flatMap(one -> ((Map<?, ?>) one.get("data")).entrySet().stream())
        .collect(
            toMap(
                file -> (String) file.getKey(),
                file -> ((String) file.getValue()).replace("$${", "${")));
  }

  /** The pod with this number, as the controller of StatefulSets makes it. */
  Pod pod(int number, String ip, String uid) {
    var set =
        templates.stream()
            .map(one -> (Map<?, ?>) one.get("template"))
            .filter(one -> "StatefulSet".equals(one.get("kind")))
            .findFirst()
            .orElseThrow();
    var template = (Map<?, ?>) ((Map<?, ?>) set.get("spec")).get("template");
    var pod =
        Serialization.unmarshal(
            Serialization.asYaml(
                Map.of("spec", Objects.requireNonNull(value(template.get("spec"))))),
            Pod.class);
    var name = NAME + "-" + number;
    return pod.toBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(FakeCluster.NAMESPACE)
        .withUid(uid)
        .withResourceVersion("1")
        .addToLabels("app", NAME)
        .addToAnnotations("local.middleware.io/process", "command")
        .endMetadata()
        .editSpec()
        .withHostname(name)
        .withSubdomain(NAME)
        .addNewVolume()
        .withName("data")
        .withNewPersistentVolumeClaim("data-" + name, false)
        .endVolume()
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .withPodIP(ip)
        .withContainerStatuses(status("etcd"), status("agent"))
        .endStatus()
        .build();
  }

  private static ContainerStatus status(String container) {
    return new ContainerStatusBuilder()
        .withName(container)
        .withReady(false)
        .withRestartCount(0)
        .withImage("any")
        .withImageID("")
        .withNewState()
        .withNewRunning()
        .endRunning()
        .endState()
        .build();
  }

  /** Null where it is left out. */
  private Object value(Object template) {
    return switch (template) {
      case Map<?, ?> map -> {
        Map<Object, Object> values = new LinkedHashMap<>();
        map.forEach(
            (key, value) -> {
              if (value(value) != null) {
                values.put(key, value(value));
              }
            });
        yield values;
      }
      case List<?> list -> list.stream().map(this::value).filter(Objects::nonNull).toList();
      case String text when text.startsWith("${") && !text.startsWith("${name}") ->
          Stream.concat(
                  VALUES.entrySet().stream(),
                  passwords ? PASSWORDS.entrySet().stream() : Stream.empty())
              .filter(known -> text.contains(known.getKey()))
              .map(Map.Entry::getValue)
              .findFirst()
              .orElse(null);
      case String text -> text.replace("${name}", NAME);
      case null, default -> template;
    };
  }
}
