package io.middleware.engine.e2e.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.e2e.AppBackup;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.LocalStore;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import io.middleware.engine.e2e.redis.RedisContent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A backup of much data, which something ends or interrupts. */
@EndToEnd
@Disruptive("kills the worker")
@InTurn(0)
class BackupKillE2E {
  private final Shop shop;
  private final DeployedRedisGroup group;
  private final LocalStore store;

  BackupKillE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
    this.store = new LocalStore(shop);
  }

  @BeforeEach
  void deployAndPopulate() {
    DeployedRedisGroup.assumeReal();
    store.inS3();
    group.deploy(AppBackup.app(shop).replace("maxmemory: 100mb", "maxmemory: 1gb"));
    RedisContent.populate(group.primaryAddress(), 200_000, 1000);
  }

  @AfterEach
  void close() {
    group.close();
    AppBackup.deleteAll(shop);
  }

  @Test
  void shouldGoOnAfterADeathOfTheWorkerOrStopWhenCancelled() {
    // When
    var backup = new AppBackup(shop, "monday").apply();
    backup.awaits(status -> status.copies() != null);
    Engine.kill("worker");
    // Then
    assertThat(backup.ends("Succeeded").copies())
        .singleElement()
        .satisfies(copy -> assertThat(copy.bytes()).isGreaterThan(1_000_000));
    // When
    var other = new AppBackup(shop, "tuesday").apply();
    other.awaits(status -> status.copies() != null);
    Engine.whileFrozen("s3", other::cancel);
    // Then
    other.ends("Cancelled");
    assertThat(store.objects()).hasSize(1);
  }
}
