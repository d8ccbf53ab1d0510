package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.store.StoreSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a Valkey has is in its backup as well. */
class ValkeyBackupIT {
  @TempDir Path folder;

  @Test
  void shouldBackUpFieldsThatExpire() throws IOException {
    var peer = new RedisPeer("db-0", "127.88.0.1", RealGroup.freePort());
    var store = new StoreSettings.Folder(Files.createDirectory(folder.resolve("store"))).open();
    var servers = new RedisServers();
    try (var process = RealRedis.valkey(peer, folder)) {
      // Given a type of data that Redis cannot read
      var valkey = servers.at(peer.address());
      await().ignoreExceptions().untilAsserted(valkey::promote);
      valkey.call(
          Command.HSETEX,
          new IntegerOutput<>(StringCodec.UTF8),
          "session",
          "EX",
          "1000",
          "FIELDS",
          "1",
          "token",
          "abc");
      // When
      var backup =
          new RedisBackup(valkey)
              .write(
                  store,
                  "a.rdb",
                  new ActionRequest("backup", Map.of(), Duration.ofMinutes(1), Duration.ZERO),
                  (message, percent) -> {});
      // Then
      assertThat(backup.values().get("version")).startsWith("9.1.");
      assertThat(new String(head(), StandardCharsets.US_ASCII)).isEqualTo("VALKEY080");
    } finally {
      servers.close();
      store.close();
    }
  }

  private byte[] head() throws IOException {
    try (var file = Files.newInputStream(folder.resolve("store/a.rdb"))) {
      return file.readNBytes("VALKEY080".length());
    }
  }

  private enum Command implements ProtocolKeyword {
    HSETEX;

    @Override
    public byte[] getBytes() {
      return name().getBytes(StandardCharsets.US_ASCII);
    }
  }
}
