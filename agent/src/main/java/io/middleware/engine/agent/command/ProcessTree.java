package io.middleware.engine.agent.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.function.Function.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * The processes of a command: the program, all that it starts, and all that these start.
 *
 * <p>A process whose parent has ended is nobody's descendant, and one with a session of its own
 * belongs to another process group. Therefore the program carries a mark in its environment, which
 * all processes inherit. One that clears its environment is found as a descendant, or as one of the
 * {@link Orphans}.
 */
final class ProcessTree {
  /** The variable with the mark. */
  static final String MARK = "MIDDLEWARE_ACTION_RUN";

  private static final Duration LOOK = Duration.ofMillis(50);

  /** A process that lives longer than this after SIGKILL hangs in the kernel. */
  private static final Duration LONGEST_DEATH = Duration.ofSeconds(10);

  private final ProcessHandle root;
  private final String mark;
  private final Orphans orphans;
  private boolean interrupted;

  /**
   * @param mark the value of {@link #MARK} in the environment of the root
   */
  ProcessTree(ProcessHandle root, String mark, Orphans orphans) {
    this.root = root;
    this.orphans = orphans;
    this.mark = MARK + "=" + mark;
  }

  /**
   * Ends all processes: by SIGTERM, and those that are left after the timeout by SIGKILL. An
   * interrupt does not shorten that, so that nothing is left behind.
   *
   * @return whether none is left
   */
  boolean end(Duration killTimeout) {
    try {
      return isGone() || terminated(killTimeout) || killed();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean terminated(Duration killTimeout) {
    if (killTimeout.isZero()) {
      return false;
    }
    living().forEach(ProcessHandle::destroy);
    return goneWithin(killTimeout);
  }

  /** More than once: a process may start another one just before it is killed. */
  private boolean killed() {
    var end = System.nanoTime() + LONGEST_DEATH.toNanos();
    do {
      living().forEach(ProcessHandle::destroyForcibly);
    } while (!goneWithin(LOOK) && System.nanoTime() < end);
    return isGone();
  }

  private boolean goneWithin(Duration atMost) {
    var end = System.nanoTime() + atMost.toNanos();
    while (!isGone()) {
      if (System.nanoTime() >= end) {
        return false;
      }
      pause();
    }
    return true;
  }

  boolean isGone() {
    return living().findAny().isEmpty();
  }

  private Stream<ProcessHandle> living() {
    var descendants = Stream.concat(Stream.of(root), root.descendants());
    var marked = ProcessHandle.allProcesses().filter(this::carriesMark);
    return Stream.of(descendants, marked, orphans.of(root))
        .flatMap(identity())
        .distinct()
        .filter(ProcessHandle::isAlive)
        .filter(process -> process.equals(root) || !hasEnded(process));
  }

  /** A zombie is no process any more: only its parent has not asked yet how it has ended. */
  private static boolean hasEnded(ProcessHandle process) {
    try {
      var stat =
          Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"), ISO_8859_1);
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'Z';
    } catch (IOException e) {
      return false; // it has ended since, or there is no such file system
    }
  }

  private boolean carriesMark(ProcessHandle process) {
    try {
      var environment = Path.of("/proc", String.valueOf(process.pid()), "environ");
      var variables = new String(Files.readAllBytes(environment), ISO_8859_1);
      return Stream.of(variables.split("\0")).anyMatch(mark::equals);
    } catch (IOException e) {
      return false; // it has ended, or belongs to somebody else
    }
  }

  private void pause() {
    try {
      Thread.sleep(LOOK);
    } catch (InterruptedException e) {
      interrupted = true;
    }
  }
}
