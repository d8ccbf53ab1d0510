package io.middleware.engine.agent.command;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Processes of actions that have become children of this process, because their parents have ended:
 * this process is the first one of its container (PID 1), or a subreaper. So a daemon is found that
 * has left its session and has cleared its environment.
 *
 * <p>Nobody knows which action such a process is from. While several actions run, none takes it;
 * the last one that ends does.
 */
final class Orphans {
  private final boolean adopted;
  private final Set<ProcessHandle> programs = new HashSet<>();

  private Orphans(boolean adopted) {
    this.adopted = adopted;
  }

  /** This process starts nothing but programs of actions: all its other children are orphans. */
  static Orphans adopted() {
    return new Orphans(true);
  }

  /** Of the first process of a container; none of any other one, which may have other children. */
  static Orphans ofContainer() {
    return ProcessHandle.current().pid() == 1 ? adopted() : none();
  }

  /** This process has children of its own, or adopts none. */
  static Orphans none() {
    return new Orphans(false);
  }

  /** Starts the program of an action. */
  synchronized Process start(ProcessBuilder builder) throws IOException {
    var process = builder.start();
    programs.add(process.toHandle());
    return process;
  }

  /** The action of this program has ended all of its processes. */
  synchronized void ended(ProcessHandle program) {
    programs.remove(program);
  }

  /** The orphans that the action of this program has to end, with what they have started. */
  synchronized Stream<ProcessHandle> of(ProcessHandle program) {
    return adopted && programs.equals(Set.of(program))
        ? ProcessHandle.current()
            .descendants()
            .filter(child -> !child.equals(program))
            .toList()
            .stream()
        : Stream.empty();
  }
}
