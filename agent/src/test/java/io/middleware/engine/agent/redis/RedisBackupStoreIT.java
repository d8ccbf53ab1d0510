package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.store.S3Server;
import io.middleware.engine.agent.store.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The stores of a replica's backups: one that refuses, and those that are written for a while. */
class RedisBackupStoreIT {
  private static final int REPLICA = 1;
  private static final int KEYS = 6_000;

  @TempDir Path folder;
  private S3Server s3;
  private StoreFiles store;
  private RealGroup group;

  @BeforeEach
  void start() throws IOException {
    s3 = S3Server.in(folder.resolve("s3"));
    store = s3.settings();
    group = new RealGroup(folder, Optional.of(store));
  }

  @AfterEach
  void stop() {
    if (s3 != null) {
      s3.close();
    }
    if (group != null) {
      group.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"secret-key, wrong, refuses the access key", "bucket, missing, there is no bucket"})
  void shouldNotSaveForAStoreThatRefuses(String setting, String value, String why)
      throws IOException {
    set(setting, value);

    assertThatThrownBy(() -> backup((text, percent) -> {}))
        .hasMessageStartingWith("FAILED_PRECONDITION: cannot write s3://")
        .hasMessageContaining(why);
    assertThat(group.redis(REPLICA).info("stats")).contains("sync_full:0");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSayHowFarASlowSaveIs(boolean mounted) throws Exception {
    var location = "s3://backups/engine/shop/cache.rdb";
    if (mounted) {
      var volume = Files.createDirectories(folder.resolve("mounted"));
      set("folder", volume.toString());
      location = volume + "/shop/cache.rdb";
    }
    saveSlowly();
    List<String> reports = new CopyOnWriteArrayList<>();

    var output = backup((text, percent) -> reports.add(text));

    assertThat(output.values()).containsEntry("location", location);
    assertThat(reports).startsWith("asking " + location).contains("0 MiB written to " + location);
  }

  /** The keys take longer than a second. */
  private void saveSlowly() {
    var primary = group.redis(0);
    for (var i = 0; i < KEYS; i++) {
      primary.set("key" + i, "a value that fills the buffers of Redis".repeat(10));
    }
    primary.waitForReplication(2, 10_000);
    group.redis(REPLICA).configSet("rdb-key-save-delay", "300");
  }

  private void set(String setting, String value) throws IOException {
    Files.writeString(store.directory().resolve(setting), value);
  }

  private ActionOutput backup(ProgressSink progress) throws InterruptedException {
    var request =
        new ActionRequest("backup", Map.of("key", "shop/cache.rdb"), Duration.ZERO, Duration.ZERO);
    return group.drivers.get(REPLICA).runAction(request, progress);
  }
}
