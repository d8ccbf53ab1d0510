package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.middleware.engine.agent.replication.RoleClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three real Redis servers with their agents, of which somebody else makes one the primary. */
class RoleClaimIT {
  @TempDir private Path folder;
  private RealGroup group;
  private long term;

  @BeforeEach
  void start() throws IOException {
    group = new RealGroup(folder);
    await().until(() -> claim(0).term() > 0 && claim(0).term() == claim(1).term());
    term = claim(0).term();
  }

  @AfterEach
  void stop() {
    group.close();
  }

  @Test
  void shouldClaimNoMoreThanThePrimaryToWhichItYields() {
    // When
    group.redis(1).replicaofNoOne();
    // Then
    var claims = new ArrayList<RoleClaim>();
    await()
        .until(
            () -> {
              claims.add(claim(1));
              return claims.getLast().role().equals("replica");
            });
    assertThat(claims).extracting(RoleClaim::term).containsOnly(term);
    assertThat(claim(0)).isEqualTo(new RoleClaim("primary", term));
  }

  @Test
  void shouldClaimTheNextTermWhenSentinelsMadeItThePrimary() {
    try (var client = RedisClient.create();
        var sentinel =
            client.connectPubSub(
                RedisURI.create(group.peers.get(1).host(), group.peers.get(1).port()))) {
      // Given
      sentinel.sync().subscribe("__sentinel__:hello");
      // When
      group.redis(1).replicaofNoOne();
      // Then although the other one has not been made a replica yet
      assertThat(claim(1)).isEqualTo(new RoleClaim("primary", term + 1));
      assertThat(claim(0)).isEqualTo(new RoleClaim("primary", term));
    }
  }

  @Test
  void shouldClaimTheNextTermWhenNoOtherPrimaryIsLeft() throws InterruptedException {
    // When
    group.drivers.get(0).switchover(Optional.of("db-1"), (message, percent) -> {});
    // Then
    await().untilAsserted(() -> assertThat(claim(1)).isEqualTo(new RoleClaim("primary", term + 1)));
    assertThat(claim(0).role()).isEqualTo("replica");
  }

  private RoleClaim claim(int number) {
    return group.drivers.get(number).claim();
  }
}
