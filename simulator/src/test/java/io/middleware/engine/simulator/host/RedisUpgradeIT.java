package io.middleware.engine.simulator.host;

import static io.middleware.engine.simulator.host.LocalRuntime.REDIS_7_0;
import static io.middleware.engine.simulator.host.LocalRuntime.VALKEY_9_0;
import static io.middleware.engine.simulator.host.LocalRuntime.VALKEY_9_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.proof.Proves;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The volume of one pod, in the order of the upgrades that the Redis Plugin allows. */
@Proves(
    plugin = "redis",
    versions = {"redis 7.0", "valkey 9.0", "valkey 9.1"},
    what =
        "One volume keeps its data on each way between versions, and no Redis loads what a Valkey has written.")
class RedisUpgradeIT {
  @TempDir Path folder;
  private LocalRedis redis;

  @BeforeEach
  void prepare() throws IOException {
    redis = new LocalRedis(folder, LocalRedis.address(4, 1));
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "no"})
  void shouldKeepTheDataOnEachWay(String appendonly) throws Exception {
    var keys = 0;
    for (var runtime : List.of(REDIS_7_0, VALKEY_9_0, VALKEY_9_1, VALKEY_9_0)) {
      redis.become(runtime);
      redis.start(appendonly);
      assertThat(redis.size()).as(runtime.name()).isEqualTo(keys);
      keys += 100;
      redis.fill(keys);
      redis.stop();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "no"})
  void shouldSayThatNoRedisReadsWhatAValkeyHasWritten(String appendonly) throws Exception {
    // Given
    redis.become(VALKEY_9_0);
    redis.start(appendonly);
    redis.fill(100);
    redis.stop();
    // When
    redis.become(REDIS_7_0);
    var code = redis.startInVain(appendonly);
    // Then
    assertThat(code).isEqualTo(1);
    assertThat(redis.output()).contains("a Valkey has written it").contains("Rebuild");
    // and the data are there still
    redis.become(VALKEY_9_0);
    redis.start(appendonly);
    assertThat(redis.size()).isEqualTo(100);
  }
}
