package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.ReplicationState.Follower;
import io.middleware.engine.agent.redis.ReplicationState.Link;
import io.middleware.engine.agent.redis.ReplicationState.Names;
import io.middleware.engine.agent.replication.History;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicationStateTest {
  @Test
  void shouldReadAPrimaryWithItsReplicas() {
    // Given
    var info =
        """
        # Replication\r
        role:master\r
        connected_slaves:2\r
        slave0:ip=10.0.0.7,port=6379,state=online,offset=42,lag=1\r
        slave1:ip=10.0.0.8,port=6379,state=wait_bgsave,offset=0,lag=0\r
        master_failover_state:waiting-for-sync\r
        master_repl_offset:56\r
        """;
    // When
    var state = ReplicationState.parse(info, Names.NONE);
    // Then
    assertThat(state)
        .isEqualTo(
            new ReplicationState(
                true,
                Address.NONE,
                Link.DOWN,
                new History("", "", 56, false),
                true,
                false,
                List.of(
                    new Follower(new Address("10.0.0.7", 6379), true, 42, 1),
                    new Follower(new Address("10.0.0.8", 6379), false, 0, 0)),
                Names.NONE));
  }

  @Test
  void shouldReadAReplica() {
    // Given
    var info =
        """
        role:slave
        master_host:10.0.0.6
        master_port:6379
        master_link_status:up
        slave_repl_offset:40
        master_failover_state:no-failover
        master_repl_offset:40
        """;
    // When
    var state = ReplicationState.parse(info, Names.NONE);
    // Then
    assertThat(state)
        .isEqualTo(
            new ReplicationState(
                false,
                new Address("10.0.0.6", 6379),
                Link.UP,
                new History("", "", 40, false),
                false,
                false,
                List.of(),
                Names.NONE));
    assertThat(state.follows(new Address("10.0.0.6", 6379))).isTrue();
    assertThat(state.follows(new Address("10.0.0.7", 6379))).isFalse();
  }

  @Test
  void shouldSeeACopyOfAllData() {
    var state =
        ReplicationState.parse("master_link_status:down\nmaster_sync_in_progress:1\n", Names.NONE);

    assertThat(state.link()).isEqualTo(Link.COPYING);
  }

  @Test
  void shouldKnowWhenARedisHasNoKeys() {
    assertThat(isEmpty("# Replication\nrole:slave\n")).isFalse();
    assertThat(isEmpty("# Keyspace\r\n")).isTrue();
    assertThat(isEmpty("# Keyspace\r\ndb3:keys=1,expires=0\r\n")).isFalse();
  }

  @Test
  void shouldClaimToBeThePrimaryOfItsMarksEpoch() {
    var primary = "role:master\nmaster_replid:a1\n";
    assertThat(claim(primary, "mark1.0f.7.PRIMARY.a1.0")).isEqualTo(7);
    // promoted by its agent, which does not know the name of the history yet
    assertThat(claim(primary, "mark1.0f.7.PRIMARY..0")).isEqualTo(7);
  }

  @Test
  void shouldClaimTheNextEpochWhenSomebodyElseHasPromotedItAndItStays() {
    var primary = "role:master\nmaster_replid:a1\n";
    for (var mark : List.of("mark1.0f.7.FOLLOWING.b2.0", "mark1.0f.7.PRIMARY.b2.0")) {
      assertThat(state(primary, mark).claim(() -> true).term()).isEqualTo(8);
      // no more than the one to which it will yield
      assertThat(state(primary, mark).claim(() -> false).term()).isEqualTo(7);
    }
  }

  @Test
  void shouldKnowOfTheNewestClaimAsAReplica() {
    assertThat(claim("role:slave\n", "mark1.0f.7.FOLLOWING.a1.0")).isEqualTo(7);
    assertThat(claim("role:slave\n", "mark1.0f.7.PRIMARY.a1.0")).isEqualTo(7);
    assertThat(claim("role:slave\n", "")).isZero();
    // the epochs of another group are not its own
    assertThat(claim("role:slave\n", "mark1.0f.7.FOREIGN.a1.0")).isZero();
  }

  private static long claim(String info, String mark) {
    return state(info, mark)
        .claim(
            () -> {
              throw new AssertionError("asked of one that is marked");
            })
        .term();
  }

  private static ReplicationState state(String info, String mark) {
    return ReplicationState.parse(info, Names.of(Map.of(Names.MARK, mark)));
  }

  private static boolean isEmpty(String info) {
    return ReplicationState.parse(info, Names.NONE).history().empty();
  }
}
