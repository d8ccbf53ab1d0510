package io.middleware.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.redis.DnsPeers;
import io.middleware.engine.agent.store.StoreFiles;
import io.middleware.engine.log.ProcessOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process of an init container, with a store in a folder. */
class RestoreIT {
  private static final String CHECKSUM =
      "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a";

  @TempDir Path folder;
  private final Map<String, String> env = new HashMap<>();

  @BeforeEach
  void prepare() throws IOException {
    var settings = Files.createDirectory(folder.resolve("settings"));
    Files.writeString(settings.resolve("folder"), folder.resolve("backups").toString());
    Files.createDirectories(folder.resolve("backups/shop"));
    Files.write(folder.resolve("backups/shop/cache.rdb"), new byte[] {1});
    Files.createDirectory(folder.resolve("data"));
    env.put("AGENT_MODE", "restore");
    env.put("POD_NAME", "cache-0");
    env.put("BACKUP_STORE_FOLDER", settings.toString());
    env.put("RESTORE_FILE", request("key shop/cache.rdb").toString());
    env.put("REDIS_SERVICE", "cache.invalid");
    env.put("REDIS_REPLICAS_FILE", Files.writeString(folder.resolve("replicas"), "3\n").toString());
    env.put("REDIS_DATA_FOLDER", folder.resolve("data").toString());
    env.put(
        "REDIS_CONFIG_FILE",
        Files.writeString(folder.resolve("redis.conf"), "dbfilename a.rdb\n").toString());
  }

  @Test
  void shouldFillTheFolderOfRedis() throws Exception {
    var lines = ProcessOutput.until("bytes restored", AgentMain.class, env);

    assertThat(lines)
        .last()
        .satisfies(
            line ->
                assertThat(line)
                    .containsEntry(
                        "message",
                        "1 bytes restored from " + folder.resolve("backups/shop/cache.rdb")));
    assertThat(folder.resolve("data/a.rdb")).hasBinaryContent(new byte[] {1});
  }

  @Test
  void shouldHaveNothingToDoWithoutARequest() throws Exception {
    env.put("RESTORE_FILE", folder.resolve("none").toString());

    var lines = ProcessOutput.until("nothing to restore", AgentMain.class, env);

    assertThat(lines)
        .last()
        .satisfies(
            line ->
                assertThat(line)
                    .containsEntry(
                        "message",
                        "nothing to restore: %s names no backup"
                            .formatted(folder.resolve("none"))));
    assertThat(folder.resolve("data")).isEmptyDirectory();
  }

  @Test
  void shouldSayWhyItCannot() throws Exception {
    request("key shop/other.rdb");

    var lines = ProcessOutput.until("is missing", AgentMain.class, env);

    assertThat(lines)
        .last()
        .satisfies(
            line ->
                assertThat(line)
                    .containsEntry(
                        "message",
                        "the backup %s is missing: it was deleted, or never written"
                            .formatted(folder.resolve("backups/shop/other.rdb"))));
    assertThat(folder.resolve("data/a.rdb")).doesNotExist();
  }

  @Test
  void shouldHaveDefaultsForTheFilesOfRedis() {
    env.remove("RESTORE_FILE");
    env.remove("REDIS_DATA_FOLDER");
    env.remove("REDIS_CONFIG_FILE");

    assertThat(RestoreSettings.from(new EnvironmentVariables(env)))
        .isEqualTo(
            new RestoreSettings(
                "",
                new DnsPeers("cache-0", "cache.invalid", 6379, folder.resolve("replicas")),
                AccountFiles.NONE,
                Optional.empty(),
                new StoreFiles(folder.resolve("settings")),
                Path.of("/etc/redis/restore"),
                Path.of("/data"),
                Path.of("/etc/redis/redis.conf")));
    env.remove("REDIS_SERVICE");
    assertThatThrownBy(() -> RestoreSettings.from(new EnvironmentVariables(env)))
        .hasMessage("REDIS_SERVICE must be the headless Service of the group, but is ''");
  }

  private Path request(String key) throws IOException {
    return Files.writeString(
        folder.resolve("restore"), "%s%nchecksum sha256:%s%n".formatted(key, CHECKSUM));
  }
}
