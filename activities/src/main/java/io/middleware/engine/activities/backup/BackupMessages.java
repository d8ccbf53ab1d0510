package io.middleware.engine.activities.backup;

import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.workflows.port.BackupRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows in a Backup what its groups are doing. They write into the same field, so they share one
 * message, which is written when it changes, and not too often.
 */
final class BackupMessages {
  private static final Logger LOG = LoggerFactory.getLogger(BackupMessages.class);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final Backups backups;
  private final Map<BackupRef, Message> open = new ConcurrentHashMap<>();

  private static final class Message {
    final Lock lock = new ReentrantLock();
    final Map<String, String> byGroup = new TreeMap<>();
    String written = "";
    long writtenAt = System.nanoTime() - PAUSE.toNanos();
  }

  BackupMessages(Backups backups) {
    this.backups = backups;
  }

  /** Says what the group does. */
  void say(BackupRef backup, String group, String text) {
    var message = open.computeIfAbsent(backup, it -> new Message());
    if (!message.lock.tryLock()) {
      return; // another group writes; this one says it again
    }
    try {
      message.byGroup.put(group, text);
      var all = Rollout.firstFew(List.copyOf(message.byGroup.values())).orElse("");
      var due = System.nanoTime() - message.writtenAt >= PAUSE.toNanos();
      if (due && !all.equals(message.written)) {
        message.writtenAt = System.nanoTime();
        message.written = all;
        write(backup, all);
      }
    } finally {
      message.lock.unlock();
    }
  }

  /** The group says nothing any more. */
  void done(BackupRef backup, String group) {
    open.computeIfPresent(
        backup,
        (ref, message) -> {
          message.lock.lock();
          try {
            message.byGroup.remove(group);
            return message.byGroup.isEmpty() ? null : message;
          } finally {
            message.lock.unlock();
          }
        });
  }

  /** A message is worth no failure. */
  private void write(BackupRef backup, String text) {
    try {
      backups.tryToSay(backup, text);
    } catch (ApplicationFailure e) {
      LOG.debug("the message of {} could not be written", backup, e);
    }
  }
}
