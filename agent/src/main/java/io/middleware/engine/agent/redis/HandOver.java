package io.middleware.engine.agent.redis;

import static java.util.Comparator.comparingLong;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.ReplicationState.Follower;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Hands the part of the primary to a replica.
 *
 * <ol>
 *   <li>Choose the replica of the lowest number among those heard of most lately: numbers from the
 *       top go first when a group shrinks.
 *   <li>{@code FAILOVER TO} it: Redis holds back writes until the replica has all of them, then
 *       changes parts. It gives up by itself after a while, and is the primary then as before.
 *   <li>Let the other replicas follow the new primary and wait until they do, so that this pod can
 *       be taken away without anybody losing touch.
 * </ol>
 */
record HandOver(RedisGroup group, ProgressSink progress) {
  private static final Duration CATCH_UP = Duration.ofSeconds(10);
  private static final Duration GATHER = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final long HEARD_OF_SECONDS = 1;
  private static final int HANDED_OVER = 50;

  void run() throws InterruptedException {
    var before = group.self().replication();
    if (!before.primary()) {
      return;
    }
    if (!before.failingOver()) {
      group.self().failOver(successor(before).address(), CATCH_UP);
    }
    try {
      awaitHandover();
    } catch (InterruptedException e) {
      throw abandoned(e);
    } catch (StatusRuntimeException e) {
      if (Thread.interrupted()) {
        throw abandoned(new InterruptedException("while asking Redis: " + e.getMessage()));
      }
      throw e;
    }
    gather(before.followers().stream().map(Follower::address).toList());
  }

  private Peer successor(ReplicationState mine) {
    return group.peers().present().stream()
        .filter(peer -> follower(mine, peer.address()).filter(Follower::online).isPresent())
        .min(
            comparingLong(
                    (Peer peer) ->
                        follower(mine, peer.address())
                            .map(one -> Math.max(one.lagSeconds(), HEARD_OF_SECONDS))
                            .orElseThrow())
                .thenComparing(Peer.BY_NUMBER))
        .orElseThrow(
            () ->
                Status.FAILED_PRECONDITION
                    .withDescription(
                        "no replica of %s is in step and could take over: see INFO replication"
                            .formatted(group.pod()))
                    .asRuntimeException());
  }

  /** Else writes stay held back until Redis gives up by itself. */
  private InterruptedException abandoned(InterruptedException cause) {
    try {
      group.self().abortFailover();
    } catch (StatusRuntimeException ended) {
      cause.addSuppressed(ended);
    }
    return cause;
  }

  private static Optional<Follower> follower(ReplicationState mine, Address address) {
    return mine.followers().stream().filter(one -> one.address().equals(address)).findFirst();
  }

  private void awaitHandover() throws InterruptedException {
    for (var now = group.self().replication(); ; now = group.self().replication()) {
      if (!now.primary() && !now.failingOver()) {
        return;
      } else if (!now.failingOver()) {
        throw Status.UNAVAILABLE
            .withDescription(
                "Redis of %s gave its handover up: the replica did not catch up in %d s"
                    .formatted(group.pod(), CATCH_UP.toSeconds()))
            .asRuntimeException();
      }
      progress.report("waiting for the replica to catch up, " + behind(now), 0);
      Thread.sleep(PAUSE);
    }
  }

  private static String behind(ReplicationState now) {
    var most = now.followers().stream().mapToLong(Follower::offset).max().orElse(now.offset());
    return Math.max(0, now.offset() - most) + " bytes behind";
  }

  /** Best effort: who does not follow in time, does so when its own agent looks. */
  private void gather(List<Address> followers) throws InterruptedException {
    var primary = group.self().replication().master();
    var others = followers.stream().filter(one -> !one.equals(primary)).toList();
    progress.report("letting the other replicas follow " + primary, HANDED_OVER);
    for (var other : others) {
      if (group.ask(other).filter(state -> !state.follows(primary)).isPresent()) {
        group.servers().at(other).follow(primary);
      }
    }
    var until = Instant.now().plus(GATHER);
    while (Instant.now().isBefore(until) && !haveGathered(primary, others)) {
      Thread.sleep(PAUSE);
    }
  }

  private boolean haveGathered(Address primary, List<Address> others) {
    var states = others.stream().map(group::ask).flatMap(Optional::stream).toList();
    return group.self().replication().linkUp()
        && states.stream().allMatch(state -> state.follows(primary) && state.linkUp());
  }
}
