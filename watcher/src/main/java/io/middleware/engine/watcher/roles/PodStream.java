package io.middleware.engine.watcher.roles;

import java.time.Duration;
import java.util.Optional;

/**
 * The stream by which the agent of one pod says its role; guarded by the pod's group. Without one,
 * the pod is polled, and each answer to a poll is the time to open another one.
 */
final class PodStream {
  /** The protocol promises a message every 20 s. */
  static final long SILENCE = Duration.ofSeconds(60).toNanos();

  /** One that lived for so long did not fail. */
  private static final long LIVED = Duration.ofSeconds(30).toNanos();

  private Optional<RoleStreams.Stream> open = Optional.empty();
  private RoleStreams.Listener listener;
  private boolean unsupported;
  private boolean closed;
  private int failures;
  private long openedAt;
  private long heardAt;

  /** Whether the agent says by itself when the role changes. */
  boolean isLive() {
    return open.isPresent();
  }

  boolean isSilent(long now) {
    return isLive() && now - heardAt >= SILENCE;
  }

  /** Whether anything was said since. */
  boolean wasHeardSince(long time) {
    return isLive() && heardAt - time > 0;
  }

  /** Whether this is the stream that is open, and not an earlier one whose last word comes late. */
  boolean isHeardFrom(RoleStreams.Listener stream, long now) {
    if (stream != listener) {
      return false;
    }
    heardAt = now;
    return true;
  }

  /**
   * Whether to open one now: not if there is one, the agent has none, or it is too early for
   * another one. Its first word may come before it is kept.
   */
  boolean begins(RoleStreams.Listener other, long now) {
    if (listener != null || unsupported || closed || now - openedAt < pause()) {
      return false;
    }
    openedAt = now;
    heardAt = now;
    listener = other;
    return true;
  }

  /** Keeps the one that is opened; ends it if nobody listens to it any more. */
  void keep(RoleStreams.Listener other, Optional<RoleStreams.Stream> opened) {
    if (listener == other) {
      open = opened;
      listener = opened.isPresent() ? other : null;
    } else {
      opened.ifPresent(RoleStreams.Stream::close);
    }
  }

  /** Returns whether it was the stream that was open. */
  boolean ended(RoleStreams.Listener stream, boolean forGood, long now) {
    if (stream != listener) {
      return false;
    }
    forget();
    unsupported |= forGood;
    failures = now - openedAt < LIVED ? failures + 1 : 0;
    return true;
  }

  /** Ends the stream; another one may follow. */
  void drop() {
    open.ifPresent(RoleStreams.Stream::close);
    forget();
  }

  /** The pod is no longer asked. */
  void close() {
    closed = true;
    drop();
  }

  private void forget() {
    open = Optional.empty();
    listener = null;
  }

  private long pause() {
    return failures == 0 ? 0 : RolePollIntervals.afterMisses(failures);
  }
}
