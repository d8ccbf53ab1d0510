package io.middleware.engine.agent.restore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisConfigFileTest {

  @ParameterizedTest
  @CsvSource({"100mb, 104857600", "1gb, 1073741824", "2k, 2000", "5000, 5000", "1GB, 1073741824"})
  void shouldKnowAboveWhichMemoryKeysAreEvicted(String limit, long bytes) {
    var config =
        new RedisConfigFile(Map.of("maxmemory", limit, "maxmemory-policy", "volatile-ttl"));

    assertThat(config.evictsAbove()).hasValue(bytes);
  }

  @Test
  void shouldKnowThatNothingIsEvicted() {
    assertThat(new RedisConfigFile(Map.of()).evictsAbove()).isEmpty();
    assertThat(new RedisConfigFile(Map.of("maxmemory", "1mb")).evictsAbove()).isEmpty();
    assertThat(
            new RedisConfigFile(Map.of("maxmemory", "0", "maxmemory-policy", "allkeys-lru"))
                .evictsAbove())
        .isEmpty();
  }
}
