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
 * Switches the primary over to a replica: the named one, or the one that it chooses.
 *
 * <ol>
 *   <li>Wait until a replica is close to the primary ({@link ReplicaLag}). Writes continue. When no
 *       replica comes close, or none is in sync for a while, refuse before the switchover begins.
 *   <li>Choose the close replica with the lowest number, because a group that shrinks loses its
 *       highest numbers first. Where one is named, no other counts.
 *   <li>{@code FAILOVER TO} the replica: Redis blocks writes until the replica has all of them,
 *       then swaps the roles. After a timeout Redis aborts and stays primary. That is a refusal
 *       too, because each retry would block writes again.
 *   <li>Point the other replicas at the new primary and wait until they follow it, so that the pod
 *       can be removed without a broken replication.
 * </ol>
 */
record RedisSwitchover(
    RedisGroup group,
    Optional<String> successor,
    ProgressSink progress,
    SwitchoverTimeouts timeouts) {
  private static final Duration FOLLOW_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);
  private static final int SWITCHED_OVER_PERCENT = 50;

  /**
   * @param inSync how long to wait for any replica in sync
   * @param close how long to wait for a close replica
   * @param catchUp how long Redis may block writes
   */
  record SwitchoverTimeouts(Duration inSync, Duration close, Duration catchUp) {
    static final SwitchoverTimeouts DEFAULT =
        new SwitchoverTimeouts(
            Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(10));
  }

  void run() throws InterruptedException {
    var before = group.own();
    if (!before.primary() || successor.filter(group.pod()::equals).isPresent()) {
      return;
    }
    begin(before);
    try {
      awaitSwitchover();
    } catch (InterruptedException e) {
      throw abandoned(e);
    } catch (StatusRuntimeException e) {
      if (Thread.interrupted()) {
        throw abandoned(new InterruptedException("during a Redis command: " + e.getMessage()));
      }
      throw e;
    }
    pointReplicas(before.followers().stream().map(Follower::address).toList());
  }

  /** Returns when the failover has begun, or when this pod is no longer primary. */
  private void begin(ReplicationState before) throws InterruptedException {
    var lag = new ReplicaLag();
    var deadline = Instant.now().plus(timeouts.close());
    var inSyncDeadline = Instant.now().plus(timeouts.inSync());
    for (var now = before; now.primary() && !now.failingOver(); now = group.own()) {
      lag.record(now, Instant.now());
      var replicas = inSync(now);
      if (replicas.isEmpty()) {
        awaitReplicas(inSyncDeadline);
        continue;
      }
      inSyncDeadline = Instant.now().plus(timeouts.inSync());
      var close =
          replicas.stream()
              .filter(one -> lag.isClose(one.state()) && mayTakeOver(one.state().address()))
              .findFirst();
      if (close.isPresent()) {
        group.self().failOver(close.get().state().address(), timeouts.catchUp());
        return;
      }
      var behind = behind(now, replicas);
      if (Instant.now().isAfter(deadline)) {
        throw refusal(
            "%s came close enough for a switchover within %d s (writes continued): %s"
                .formatted(candidates(), timeouts.close().toSeconds(), behind));
      }
      progress.report("waiting for a replica to come close (writes continue): " + behind, 0);
      Thread.sleep(CHECK_INTERVAL);
    }
  }

  /**
   * Whoever has the address that the name of a pod had before would become the primary. A pod that
   * ends, as its priority of 0 says, would not be it for long. A Valkey counts a replica as online
   * that is still loading its data, and that refuses to take over.
   */
  private boolean mayTakeOver(Address address) {
    return switch (group.answerAt(address)) {
      case RedisGroup.Answer.Stranger(var names) -> false;
      case RedisGroup.Answer.Member(var state) -> !state.ending() && state.linkUp();
      case RedisGroup.Answer.Silence() -> true;
    };
  }

  /** A replica that has lost its connection usually reconnects soon. */
  private void awaitReplicas(Instant deadline) throws InterruptedException {
    if (Instant.now().isAfter(deadline)) {
      throw refusal(
          "%s was in sync within %d s: see INFO replication"
              .formatted(candidates(), timeouts.inSync().toSeconds()));
    }
    progress.report("waiting for a replica in sync (writes continue)", 0);
    Thread.sleep(CHECK_INTERVAL);
  }

  /** For people, as the subject of what did not happen. */
  private String candidates() {
    return successor
        .map(
            name ->
                "pod %s should become the primary, but no such replica of %s"
                    .formatted(name, group.pod()))
        .orElseGet(() -> "no replica of " + group.pod());
  }

  private record Replica(RedisPeer peer, Follower state) {}

  private List<Replica> inSync(ReplicationState own) {
    return group.peers().present().stream()
        .filter(peer -> successor.filter(name -> !name.equals(peer.pod())).isEmpty())
        .sorted(RedisPeer.BY_NUMBER)
        .flatMap(
            peer ->
                own.followers().stream()
                    .filter(one -> one.online() && one.address().equals(peer.address()))
                    .map(one -> new Replica(peer, one)))
        .toList();
  }

  /** For example {@code db-1 is 4096 bytes behind, last report 3 s ago}. */
  private static String behind(ReplicationState primary, List<Replica> replicas) {
    return replicas.stream()
        .map(
            one ->
                "%s is %d bytes behind, last report %d s ago"
                    .formatted(
                        one.peer().pod(),
                        Math.max(0, primary.offset() - one.state().offset()),
                        one.state().lagSeconds()))
        .collect(joining(", "));
  }

  private static StatusRuntimeException refusal(String why) {
    return Status.FAILED_PRECONDITION.withDescription(why).asRuntimeException();
  }

  /** Without the abort, Redis would block writes until its own timeout. */
  private InterruptedException abandoned(InterruptedException cause) {
    try {
      group.self().abortFailover();
    } catch (StatusRuntimeException ended) {
      cause.addSuppressed(ended);
    }
    return cause;
  }

  private void awaitSwitchover() throws InterruptedException {
    var lag = "";
    for (var now = group.own(); ; now = group.own()) {
      if (!now.primary() && !now.failingOver()) {
        return;
      } else if (!now.failingOver()) {
        throw refusal(
            "Redis of %s aborted the switchover after blocking writes for up to %d s%s"
                .formatted(group.pod(), timeouts.catchUp().toSeconds(), lag));
      }
      if (now.primary()) {
        lag = ": " + behind(now, inSync(now));
      }
      progress.report("waiting for the replica to catch up (writes are blocked)" + lag, 0);
      Thread.sleep(POLL_INTERVAL);
    }
  }

  /** Best effort: a replica that is late is corrected by its own agent. */
  private void pointReplicas(List<Address> followers) throws InterruptedException {
    var primary = group.own().primaryAddress();
    var others = followers.stream().filter(one -> !one.equals(primary)).toList();
    progress.report("pointing the other replicas at " + primary, SWITCHED_OVER_PERCENT);
    for (var other : others) {
      if (group.stateOf(other).filter(state -> !state.follows(primary)).isPresent()) {
        group.servers().at(other).follow(primary);
      }
    }
    var deadline = Instant.now().plus(FOLLOW_TIMEOUT);
    while (Instant.now().isBefore(deadline) && !allFollow(primary, others)) {
      Thread.sleep(POLL_INTERVAL);
    }
  }

  private boolean allFollow(Address primary, List<Address> others) {
    var states = others.stream().map(group::stateOf).flatMap(Optional::stream).toList();
    return group.own().linkUp()
        && states.stream().allMatch(state -> state.follows(primary) && state.linkUp());
  }
}
