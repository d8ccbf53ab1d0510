package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.KillArgs;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real Redis servers of which one cannot do what its role promises. The primary is db-0. */
class RoleTroubleIT {
  @TempDir private Path folder;
  private RealGroup group;

  @BeforeEach
  void start() throws IOException {
    group = new RealGroup(folder);
  }

  @AfterEach
  void stop() {
    group.close();
  }

  @Test
  void shouldHaveNoneInAHealthyGroup() {
    await()
        .untilAsserted(
            () -> assertThat(group.drivers).allSatisfy(it -> assertThat(it.trouble()).isEmpty()));
  }

  @Test
  void shouldBeThePrimaryAlsoWhenItRefusesWritesAndStillSwitchOver() throws Exception {
    // Given a disk on which it cannot save
    try (var files = Files.walk(folder.resolve("db-0"))) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    group.redis(0).bgsave();
    // Then
    var primary = group.drivers.get(0);
    await()
        .untilAsserted(
            () ->
                assertThat(primary.trouble().orElseThrow())
                    .startsWith("refuses writes: MISCONF Redis is configured to save"));
    assertThat(primary.role()).isEqualTo(ReplicationRole.PRIMARY);
    // and hands over to a healthy replica
    primary.switchover(Optional.of("db-1"), (message, percent) -> {});
    assertThat(group.drivers.get(1).role()).isEqualTo(ReplicationRole.PRIMARY);
  }

  @Test
  void shouldMissTheReplicasWithoutWhichThePrimaryRefusesWrites() {
    // Given
    group.redis(0).configSet("min-replicas-to-write", "3");
    // Then
    assertThat(group.drivers.get(0).trouble())
        .contains(
            "refuses writes: NOREPLICAS 2 of 3 replicas (min-replicas-to-write) are connected and"
                + " report in time");
    // and with as many as it needs
    group.redis(0).configSet("min-replicas-to-write", "2");
    assertThat(group.drivers.get(0).trouble()).isEmpty();
  }

  @Test
  void shouldMissTheLinkToAPrimaryThatRefusesIt() {
    // Given
    group.redis(1).configSet(Map.of("masteruser", "nobody", "masterauth", "wrong"));
    group.redis(0).clientKill(KillArgs.Builder.typeSlave());
    // Then
    await()
        .untilAsserted(
            () ->
                assertThat(group.drivers.get(1).trouble().orElseThrow())
                    .startsWith("its link to its primary 127.88.0.1:")
                    .endsWith(" is down"));
  }
}
