package io.middleware.engine.agent.redis;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.PodMaintenance;
import io.middleware.engine.agent.redis.RedisGroup.Answer;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.ReplicationState.Link;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one pod in its group: the pod follows the primary, or becomes primary when two checks in a
 * row decide so. It follows no Redis of another group, and none that may become one: what has taken
 * the address of a primary that is gone. Used by one thread.
 */
public final class GroupMembership implements PodMaintenance {
  private static final Logger LOG = LoggerFactory.getLogger(GroupMembership.class);

  /** Sentinels settle what they know of within 10 s, and they may know more than the agents. */
  private static final Duration SENTINELS_FIRST = Duration.ofSeconds(20);

  /** Longer than a primary that is only slow does not answer. */
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private final RedisGroup group;
  private final MarkKeeper marks;
  private final InstantSource clock;
  private final LostLink lost;
  private final WriteFence fence;
  private final Supplier<RedisAccounts> accounts;
  private final Supplier<RedisTls> tls;
  private boolean joined;
  private MembershipStep last = new MembershipStep.Stay();
  private Instant lastChange = Instant.EPOCH;
  private Optional<Instant> alone = Optional.empty();

  /**
   * @param mark on the volume of the pod
   * @param joined whether the pod already joined its group before this process started
   */
  public GroupMembership(
      RedisGroup group, Supplier<MarkFile> mark, InstantSource clock, boolean joined) {
    this.group = group;
    this.marks = new MarkKeeper(group, mark, clock);
    this.clock = clock;
    this.lost = new LostLink(group.pod(), clock);
    this.fence = new WriteFence(group.self(), clock);
    this.accounts = () -> new RedisAccounts(group, mark.get().folder());
    this.tls = () -> new RedisTls(group, mark.get().folder());
    this.joined = joined;
  }

  /**
   * The pod serves when its Redis answers and has been the primary, or connected to it, since its
   * start. A replica that loses its primary continues to serve its data. One that cannot connect to
   * a primary that answers does so for a minute only.
   */
  @Override
  public boolean maintain() {
    try {
      var own = group.own();
      accounts.get().follow();
      tls.get().follow(own);
      marks.report(own);
      fence.liftWhenOver();
      if (own.primary()) {
        joined = true;
        lost.none();
        lead(own);
      } else {
        alone = Optional.empty();
        follow(own);
      }
      return joined && !lost.isTooLong();
    } catch (StatusRuntimeException e) {
      return unknown(String.valueOf(e.getStatus().getDescription()));
    } catch (UncheckedIOException e) {
      return unknown("%s: %s".formatted(e.getMessage(), e.getCause()));
    }
  }

  private boolean unknown(String why) {
    joined = false;
    record(new MembershipStep.Await(why));
    return false;
  }

  private void lead(ReplicationState own) {
    var snapshot = group.snapshot(own);
    if (snapshot.primaries().size() > 1 || own.failingOver()) {
      alone = Optional.empty();
    } else if (isRightful(own, snapshot)) {
      marks.lead(snapshot, own);
    }
    act(own, snapshot);
  }

  /** A pod that others made the primary is not marked while another one may be primary, too. */
  private boolean isRightful(ReplicationState own, GroupSnapshot snapshot) {
    alone = alone.or(() -> Optional.of(clock.instant()));
    return own.isEstablished()
        || marks.isPromoted()
        || snapshot.isComplete(group.peers().expected())
        || !clock.instant().isBefore(alone.get().plus(SILENCE));
  }

  private void follow(ReplicationState own) {
    switch (group.answerAt(own.primaryAddress())) {
      case Answer.Member(var primary) when own.linkUp() && primary.primary() -> {
        joined = true;
        lost.none();
        marks.follow(own, primary);
        record(new MembershipStep.Stay());
      }
      case Answer.Stranger(var names) -> {
        if (own.linkUp()) {
          marks.becomeForeign();
        }
        leave(own, "the Redis there belongs to " + RedisGroup.owner(names));
      }
      case Answer.Silence() when own.link() == Link.DOWN && !isDetached(own) ->
          leave(own, "its primary is gone, and another Redis may get its address");
      case Answer.Member(var other) -> {
        joined |= own.linkUp();
        findPrimary(own);
      }
      case Answer.Silence() -> {
        joined |= own.linkUp();
        findPrimary(own);
      }
    }
  }

  private void findPrimary(ReplicationState own) {
    var snapshot = group.snapshot(own);
    var primaries = snapshot.primaries();
    if (primaries.size() == 1 && !own.linkUp()) {
      marks.fallBehind(own, snapshot.states().get(primaries.getFirst()));
      lost.seen(own, primaries.getFirst());
    } else {
      lost.none();
    }
    act(own, snapshot);
  }

  /** A switchover refuses another primary meanwhile, and has one. */
  private void leave(ReplicationState own, String why) {
    var next = group.snapshot(own).next(group.peers()::expected);
    if (next instanceof MembershipStep.Follow) {
      act(own, next);
    } else if (!own.failingOver()) {
      act(own, new MembershipStep.Detach("%s: %s".formatted(own.primaryAddress(), why)));
    }
  }

  private static boolean isDetached(ReplicationState own) {
    return own.primaryAddress().equals(Address.NOBODY);
  }

  private void act(ReplicationState own, GroupSnapshot snapshot) {
    act(own, snapshot.next(group.peers()::expected));
  }

  private void act(ReplicationState own, MembershipStep step) {
    var isRepeated = step.equals(last);
    record(step);
    switch (step) {
      case MembershipStep.Follow(var primary) -> group.self().follow(primary.address());
      case MembershipStep.Detach(var why) -> group.self().follow(Address.NOBODY);
      case MembershipStep.Promote() -> {
        if (isRepeated) {
          marks.promote(group.snapshot(own), own);
          group.self().promote();
        }
      }
      case MembershipStep.Yield(var primary) -> {
        if (isRepeated && mayYield(own)) {
          group.self().follow(primary.address());
        }
      }
      case MembershipStep.Stay stay -> {}
      case MembershipStep.Await await -> {}
    }
  }

  /** A primary that was marked has been replaced; another one may be the choice of Sentinels. */
  private boolean mayYield(ReplicationState own) {
    return own.isEstablished()
        || !clock.instant().isBefore(lastChange.plus(SENTINELS_FIRST))
        || !group.self().isWatchedBySentinels();
  }

  private void record(MembershipStep step) {
    if (!step.equals(last)) {
      last = step;
      lastChange = clock.instant();
      LOG.atInfo().addKeyValue("pod", group.pod()).addKeyValue("step", step).log("membership step");
    }
  }
}
