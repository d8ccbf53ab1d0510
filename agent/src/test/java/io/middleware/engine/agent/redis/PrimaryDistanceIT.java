package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far real Redis servers are behind their primary, db-0. */
class PrimaryDistanceIT {
  private static final String LARGE = "x".repeat(2 << 20);

  @TempDir private Path folder;
  private RealGroup group;
  private List<RedisDriver> drivers;

  @BeforeEach
  void start() throws IOException {
    group = new RealGroup(folder);
    drivers = group.drivers;
  }

  @AfterEach
  void stop() {
    group.close();
  }

  @Test
  void shouldBeNothingForThePrimaryAndAReplicaThatHasAll() {
    // Given
    group.redis(0).set("large", LARGE);
    // Then
    assertThat(drivers.get(0).measure("lag")).isEqualTo("0");
    await().untilAsserted(() -> assertThat(drivers.get(1).measure("lag")).isEqualTo("0"));
  }

  @Test
  void shouldRefuseWhenTheLinkToThePrimaryIsDown() {
    // Given a primary that does not come back
    group.processes.get(0).kill();
    // Then
    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> drivers.get(1).measure("lag"))
                    .hasMessageContaining(
                        "FAILED_PRECONDITION: Redis of db-1: the link to its primary")
                    .hasMessageContaining("is down"));
  }

  @Test
  void shouldNotGuessWhatAFrozenRedisWouldAnswer() {
    // Given
    group.processes.get(1).freeze();
    // Then
    assertThatThrownBy(() -> drivers.get(1).measure("lag")).hasMessageContaining("UNAVAILABLE");
  }

  @Test
  void shouldRefuseAnotherQuestion() {
    assertThatThrownBy(() -> drivers.get(0).measure("speed"))
        .hasMessageContaining("FAILED_PRECONDITION: this agent does not know the question speed");
  }
}
