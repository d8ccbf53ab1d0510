package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.redis.ReplicationState.Names;
import io.middleware.engine.agent.replication.ReplicationMark;
import io.middleware.engine.agent.replication.ReplicationMark.Standing;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the mark of one pod: on its volume, where it survives a start, and in a parameter of its
 * Redis, where the other agents read it. Used by one thread.
 *
 * <p>A volume that cannot be written does not stop a promotion: what Redis cannot save there either
 * has the older mark rightly.
 */
final class MarkKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(MarkKeeper.class);

  /** How old a recorded offset may be. */
  private static final Duration OFFSET_AGE = Duration.ofSeconds(5);

  private final RedisGroup group;
  private final Supplier<MarkFile> volume;
  private final InstantSource clock;
  private Optional<ReplicationMark> current = Optional.empty();
  private MarkFile file;
  private Instant changed = Instant.EPOCH;
  private String lastWarning = "";

  /**
   * @param volume asked once, when the pod's Redis answers
   */
  MarkKeeper(RedisGroup group, Supplier<MarkFile> volume, InstantSource clock) {
    this.group = group;
    this.volume = volume;
    this.clock = clock;
  }

  /** Lets the other agents know the mark, also after a start of Redis or of this agent. */
  void report(ReplicationState own) {
    if (current.isEmpty()) {
      file = volume.get();
      current =
          file.read().or(() -> own.names().mark()).or(() -> Optional.of(ReplicationMark.NONE));
    }
    if (own.names().mark().isEmpty()) {
      correctAfterStart();
    }
    if (!own.names().mark().equals(current)) {
      report();
    }
  }

  /** Redis has just started, maybe with fewer data than the mark says. */
  private void correctAfterStart() {
    var corrected = file.afterStart(mark());
    if (!corrected.equals(mark())) {
      change(corrected);
    }
    try {
      if (file.read().filter(mark()::equals).isPresent()) {
        file.startIsMarked();
      }
    } catch (IOException e) {
      warnOnce(String.valueOf(e));
    }
  }

  /** The pod is about to become primary. */
  void promote(GroupSnapshot group, ReplicationState own) {
    change(group.nextPrimary(mark()).at(own.history().offset()));
  }

  /** Whether this agent has decided that the pod is the primary, and Redis may not know it yet. */
  boolean isPromoted() {
    return mark().isPrimaryWith("");
  }

  /** The pod is the only primary. */
  void lead(GroupSnapshot group, ReplicationState own) {
    var history = own.history();
    if (mark().isPrimaryWith(history.id())) {
      refresh(history.offset());
    } else {
      var begun = isPromoted() ? mark() : group.nextPrimary(mark());
      change(begun.of(history.id()).at(history.offset()));
    }
  }

  /** The pod is connected to its primary. */
  void follow(ReplicationState own, ReplicationState primary) {
    join(own, primary, Standing.FOLLOWING);
  }

  /** The pod is not connected, while the primary goes on. */
  void fallBehind(ReplicationState own, ReplicationState primary) {
    if (mark().standing() == Standing.FOLLOWING && mark().epoch() > 0) {
      change(mark().with(Standing.BEHIND));
    }
    join(own, primary, Standing.BEHIND);
  }

  /** Only when the primary's agent has marked its epoch, and the copy is part of it. */
  private void join(ReplicationState own, ReplicationState primary, Standing standing) {
    var history = own.history();
    if (!primary.isEstablished() || !primary.history().id().equals(history.id())) {
      return;
    }
    var joined = primary.mark().with(standing).at(mark().offset());
    if (mark().equals(joined)) {
      refresh(history.offset());
    } else if (isOnDisk()) {
      change(joined.at(history.offset()));
    }
  }

  /** Redis has the data of another group. */
  void becomeForeign() {
    if (!mark().isForeign()) {
      change(mark().with(Standing.FOREIGN));
    }
  }

  ReplicationMark mark() {
    return current.orElse(ReplicationMark.NONE);
  }

  /** After a full copy, Redis would start from its older log until it has written another one. */
  private boolean isOnDisk() {
    var persistence = group.self().info("persistence");
    return "0".equals(persistence.getOrDefault("aof_enabled", "0"))
        || "0".equals(persistence.get("aof_rewrite_in_progress"))
            && "0".equals(persistence.get("aof_rewrite_scheduled"))
            && "ok".equals(persistence.get("aof_last_bgrewrite_status"));
  }

  private void refresh(long offset) {
    if (mark().offset() != offset && !clock.instant().isBefore(changed.plus(OFFSET_AGE))) {
      change(mark().at(offset));
    }
  }

  private void change(ReplicationMark next) {
    if (next.equals(mark())) {
      return;
    }
    if (next.epoch() != mark().epoch() || next.standing() != mark().standing()) {
      LOG.atInfo().addKeyValue("pod", group.pod()).addKeyValue("mark", next.text()).log("marked");
    }
    changed = clock.instant();
    current = Optional.of(next);
    try {
      file.write(next);
      lastWarning = "";
    } catch (IOException e) {
      warnOnce(String.valueOf(e));
    }
    report();
  }

  private void report() {
    group.self().setParameters(Map.of(Names.MARK, mark().text()));
  }

  private void warnOnce(String cause) {
    if (!cause.equals(lastWarning)) {
      lastWarning = cause;
      LOG.atWarn()
          .addKeyValue("pod", group.pod())
          .addKeyValue("cause", cause)
          .log("cannot write the replication mark: check the pod's volume; trying again");
    }
  }
}
