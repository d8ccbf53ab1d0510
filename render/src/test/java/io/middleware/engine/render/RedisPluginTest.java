package io.middleware.engine.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.render.expression.RenderBudget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the Plugin for Redis makes of a store for backups, and of a backup to begin with. */
class RedisPluginTest {
  private static final Path PLUGIN = Path.of("..", "plugins", "redis", "plugin.yaml");
  private static final String NAME = "cache-redis-nodes-shard-0";
  private static final Map<String, Object> S3 =
      Map.of(
          "name", "main",
          "endpoint", "https://s3.example.com",
          "bucket", "backups",
          "prefix", "engine",
          "region", "eu-1",
          "pathStyle", false,
          "secretName", "s3-key");

  @Test
  void shouldHaveNothingOfBackupsWithoutAStore() {
    var objects = objects(Map.of("backup", Map.of("enabled", true)));

    assertThat(object(objects, "ConfigMap", NAME + "-backup-store").get("data"))
        .isEqualTo(Map.of());
    assertThat(object(objects, "ConfigMap", NAME + "-config").get("data").toString())
        .doesNotContain("restore");
    assertThat(pod(objects)).doesNotContainKey("initContainers");
    assertThat(pod(objects).get("volumes"))
        .isEqualTo(
            List.of(Map.of("name", "config", "configMap", Map.of("name", NAME + "-config"))));
    assertThat(pod(objects).toString()).doesNotContain("backup");
  }

  @Test
  void shouldGiveTheAgentABucket() {
    var objects = objects(Map.of("backup", Map.of("store", S3)));

    assertThat(object(objects, "ConfigMap", NAME + "-backup-store").get("data"))
        .isEqualTo(
            Map.of(
                "endpoint", "https://s3.example.com",
                "bucket", "backups",
                "prefix", "engine",
                "region", "eu-1",
                "secret", "s3-key",
                "path-style", "false"));
    assertThat(list(pod(objects), "volumes"))
        .containsExactly(
            Map.of("name", "config", "configMap", Map.of("name", NAME + "-config")),
            Map.of(
                "name",
                "backup-store",
                "projected",
                Map.of(
                    "sources",
                    List.of(
                        Map.of("configMap", Map.of("name", NAME + "-backup-store")),
                        Map.of("secret", Map.of("name", "s3-key", "optional", true))))));
    var store = Map.of("name", "backup-store", "mountPath", "/etc/backup-store");
    var config = Map.of("name", "config", "mountPath", "/etc/redis");
    var data = Map.of("name", "data", "mountPath", "/data");
    var agent = agent(objects);
    assertThat(list(agent, "env"))
        .contains(Map.of("name", "BACKUP_STORE_FOLDER", "value", "/etc/backup-store"));
    assertThat(list(agent, "volumeMounts")).containsExactly(data, config, store);
    var restore = restore(objects);
    assertThat(list(restore, "env")).contains(Map.of("name", "AGENT_MODE", "value", "restore"));
    assertThat(list(restore, "volumeMounts")).containsExactly(data, config, store);
  }

  @Test
  void shouldMountAClaim() {
    var path = Map.of("name", "disk", "claimName", "backups", "path", "redis");
    var objects = objects(Map.of("backup", Map.of("store", path)));

    assertThat(object(objects, "ConfigMap", NAME + "-backup-store").get("data"))
        .isEqualTo(Map.of("folder", "/backups"));
    assertThat(list(pod(objects), "volumes"))
        .contains(
            Map.of("name", "backups", "persistentVolumeClaim", Map.of("claimName", "backups")));
    var mount = Map.of("name", "backups", "mountPath", "/backups", "subPath", "redis");
    assertThat(list(agent(objects), "volumeMounts")).contains(mount);
    assertThat(list(restore(objects), "volumeMounts")).contains(mount);
    var all = objects(Map.of("backup", Map.of("store", Map.of("claimName", "backups"))));
    assertThat(list(agent(all), "volumeMounts"))
        .contains(Map.of("name", "backups", "mountPath", "/backups"));
  }

  @Test
  void shouldNameTheBackupToBeginWithAndReplaceNoPodForIt() {
    var backup = Map.of("store", S3);
    var objects =
        objects(
            Map.of("backup", backup, "restore", Map.of("key", "a/b.rdb", "checksum", "sha256:00")));

    var data = Trees.tree(object(objects, "ConfigMap", NAME + "-config").get("data"));
    assertThat(data).containsEntry("restore", "key a/b.rdb\nchecksum sha256:00\n");
    assertThat(pod(objects)).isEqualTo(pod(objects(Map.of("backup", backup))));
  }

  /** Of the templates that each App has. */
  private static List<Map<String, Object>> objects(Map<String, ?> variables) {
    var types = list(Trees.tree(Trees.one(Trees.text(PLUGIN)).get("spec")), "componentTypes");
    Map<String, Object> context = new HashMap<>(variables);
    context.put("config", Map.of("maxmemory", "512mb"));
    context.put("monitoring", Map.of());
    List<Map<String, Object>> objects = new ArrayList<>();
    for (var template : list(Trees.tree(types.getFirst()), "templates")) {
      if (Trees.tree(template).containsKey("forEach")) {
        continue;
      }
      objects.addAll(
          new TemplateCompiler()
              .compile("redis", Trees.tree(Trees.tree(template).get("template")))
              .render(Contexts.with(context), new RenderBudget()));
    }
    return objects;
  }

  private static Map<String, Object> pod(List<Map<String, Object>> objects) {
    var spec = Trees.tree(object(objects, "StatefulSet", NAME).get("spec"));
    return Trees.tree(Trees.tree(spec.get("template")).get("spec"));
  }

  private static Map<String, Object> agent(List<Map<String, Object>> objects) {
    return Trees.tree(list(pod(objects), "containers").get(1));
  }

  private static Map<String, Object> restore(List<Map<String, Object>> objects) {
    return Trees.tree(list(pod(objects), "initContainers").getFirst());
  }

  private static Map<String, Object> object(
      List<Map<String, Object>> objects, String kind, String name) {
    return objects.stream()
        .filter(one -> one.get("kind").equals(kind))
        .filter(one -> Trees.tree(one.get("metadata")).get("name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<Object> list(Map<String, Object> tree, String field) {
    return List.copyOf((List<?>) tree.get(field));
  }
}
