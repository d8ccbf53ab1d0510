package io.middleware.engine.agent.redis;

import static java.util.stream.Collectors.joining;

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
 *   <li>Wait until a replica is so near that it has all writes soon once there are no new ones. So
 *       long they go on, and when none comes near, or for a while none is in step at all, the
 *       switchover is refused before it begins.
 *   <li>Of those that are near choose the one of the lowest number: numbers from the top go first
 *       when a group shrinks.
 *   <li>{@code FAILOVER TO} it: Redis holds back writes until the replica has all of them, then
 *       changes parts. It gives up by itself after a while, and is the primary then as before. That
 *       is a refusal as well: each further try would hold back writes again.
 *   <li>Let the other replicas follow the new primary and wait until they do, so that this pod can
 *       be taken away without anybody losing touch.
 * </ol>
 */
record RedisSwitchover(RedisGroup group, ProgressSink progress, SwitchoverTimeouts patience) {
  private static final Duration GATHER = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
  private static final int SWITCHED_OVER = 50;

  /**
   * @param reconnect how long there may be no replica in step
   * @param approach how long a replica may take to come near
   * @param catchUp how long writes may be held back
   */
  record SwitchoverTimeouts(Duration reconnect, Duration approach, Duration catchUp) {
    static final SwitchoverTimeouts USUAL =
        new SwitchoverTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(10));
  }

  void run() throws InterruptedException {
    var before = group.self().replication();
    if (!before.primary()) {
      return;
    }
    begin(before);
    try {
      awaitSwitchover();
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

  /** Returns when parts are about to change, or have changed in another way. */
  private void begin(ReplicationState before) throws InterruptedException {
    var nearness = new ReplicaLag();
    var until = Instant.now().plus(patience.approach());
    var alone = Instant.now().plus(patience.reconnect());
    for (var now = before; now.primary() && !now.failingOver(); now = group.self().replication()) {
      nearness.look(now, Instant.now());
      var replicas = inStep(now);
      if (replicas.isEmpty()) {
        awaitReplicas(alone);
        continue;
      }
      alone = Instant.now().plus(patience.reconnect());
      var near = replicas.stream().filter(one -> nearness.isNear(one.state())).findFirst();
      if (near.isPresent()) {
        group.self().failOver(near.get().state().address(), patience.catchUp());
        return;
      }
      var behind = behind(now, replicas);
      if (Instant.now().isAfter(until)) {
        throw refusal(
            "no replica came near enough to %s in %d s to take over, writes went on: %s"
                .formatted(group.pod(), patience.approach().toSeconds(), behind));
      }
      progress.report("writes go on until a replica comes near: " + behind, 0);
      Thread.sleep(BETWEEN_LOOKS);
    }
  }

  /** One that has lost touch for a moment is soon back. */
  private void awaitReplicas(Instant atMost) throws InterruptedException {
    if (Instant.now().isAfter(atMost)) {
      throw refusal(
          "for %d s no replica of %s was in step and could take over: see INFO replication"
              .formatted(patience.reconnect().toSeconds(), group.pod()));
    }
    progress.report("writes go on until a replica is in step", 0);
    Thread.sleep(BETWEEN_LOOKS);
  }

  private record Replica(RedisPeer peer, Follower state) {}

  private List<Replica> inStep(ReplicationState mine) {
    return group.peers().present().stream()
        .sorted(RedisPeer.BY_NUMBER)
        .flatMap(
            peer ->
                mine.followers().stream()
                    .filter(one -> one.online() && one.address().equals(peer.address()))
                    .map(one -> new Replica(peer, one)))
        .toList();
  }

  /** For example {@code db-1 is 4096 bytes behind and was heard of 3 s ago}. */
  private static String behind(ReplicationState primary, List<Replica> replicas) {
    return replicas.stream()
        .map(
            one ->
                "%s is %d bytes behind and was heard of %d s ago"
                    .formatted(
                        one.peer().pod(),
                        Math.max(0, primary.offset() - one.state().offset()),
                        one.state().lagSeconds()))
        .collect(joining(", "));
  }

  private static StatusRuntimeException refusal(String why) {
    return Status.FAILED_PRECONDITION.withDescription(why).asRuntimeException();
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

  private void awaitSwitchover() throws InterruptedException {
    var words = "";
    for (var now = group.self().replication(); ; now = group.self().replication()) {
      if (!now.primary() && !now.failingOver()) {
        return;
      } else if (!now.failingOver()) {
        throw refusal(
            "Redis of %s gave its switchover up, at most %d s after writes were held back%s"
                .formatted(group.pod(), patience.catchUp().toSeconds(), words));
      }
      if (now.primary()) {
        words = ": " + behind(now, inStep(now));
      }
      progress.report("waiting for the replica to catch up" + words, 0);
      Thread.sleep(PAUSE);
    }
  }

  /** Best effort: who does not follow in time, does so when its own agent looks. */
  private void gather(List<Address> followers) throws InterruptedException {
    var primary = group.self().replication().master();
    var others = followers.stream().filter(one -> !one.equals(primary)).toList();
    progress.report("letting the other replicas follow " + primary, SWITCHED_OVER);
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
