package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.ReplicationState.Names;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisIdentityTest {
  private static final Address ADDRESS = new Address("10.0.0.7", 6379);
  private static final RedisPeer PEER = new RedisPeer("db-1", "10.0.0.7", 6379);

  @Test
  void shouldKnowAPodOfTheGroupByItsNameAndNamespace() {
    assertThat(names("shop/db-1/u1", "").areOfGroup("shop", "db", ADDRESS)).isTrue();
    assertThat(names("shop/db-1/u1", "").areOfPod("shop", PEER)).isTrue();
  }

  @Test
  void shouldNotTakeAnotherPodForItWhateverItsAddress() {
    assertThat(names("shop/db-2/u1", "10.0.0.7").areOfPod("shop", PEER)).isFalse();
    assertThat(names("shop/other-1/u1", "10.0.0.7").areOfGroup("shop", "db", ADDRESS)).isFalse();
    assertThat(names("toys/db-1/u1", "10.0.0.7").areOfGroup("shop", "db", ADDRESS)).isFalse();
    assertThat(names("toys/db-1/u1", "10.0.0.7").areOfPod("shop", PEER)).isFalse();
  }

  @Test
  void shouldTakeARedisOfAnEarlierPluginByTheAddressThatItAnnounces() {
    assertThat(names("redis", "10.0.0.7").areOfGroup("shop", "db", ADDRESS)).isTrue();
    assertThat(names("redis", "10.0.0.7").areOfPod("shop", PEER)).isTrue();
    assertThat(names("redis", "").areOfGroup("shop", "db", ADDRESS)).isFalse();
    assertThat(names("redis", "10.0.0.8").areOfPod("shop", PEER)).isFalse();
  }

  @Test
  void shouldNameTheGroupOfAMark() {
    assertThat(new RedisIdentity("shop", "cache-main-12", "u").group())
        .isEqualTo("shop/cache-main");
  }

  private static Names names(String identity, String announced) {
    return Names.of(Map.of("syslog-ident", identity, "replica-announce-ip", announced));
  }
}
