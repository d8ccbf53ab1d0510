package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyCountTest {

  @Test
  void shouldAddUpAllDatabases() {
    var keyspace =
        Map.of("db0", "keys=10000,expires=3,avg_ttl=0", "db3", "keys=5,expires=0,avg_ttl=0");

    assertThat(KeyCount.of(keyspace)).isEqualTo(10_005);
    assertThat(KeyCount.of(Map.of())).isZero();
  }
}
