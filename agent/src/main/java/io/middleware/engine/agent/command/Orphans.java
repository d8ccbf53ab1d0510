package io.middleware.engine.agent.command;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Processes of actions that have become children of another one, because their parents have ended:
 * of this process, which is the first one of its container (PID 1) or a subreaper; or of its
 * parent, the {@link ContainerInit}. So a daemon is found that has left its session and has cleared
 * its environment.
 *
 * <p>Nobody knows which action such a process is from. While several actions run, none takes it;
 * the last one that ends does.
 */
final class Orphans {
  private final Optional<ProcessHandle> adopter;
  private final Set<ProcessHandle> programs = new HashSet<>();

  private Orphans(Optional<ProcessHandle> adopter) {
    this.adopter = adopter;
  }

  /** This process starts nothing but programs of actions: all its other children are orphans. */
  static Orphans adopted() {
    return new Orphans(Optional.of(ProcessHandle.current()));
  }

  /** Of the first process of a container; none of any other one, which may have other children. */
  static Orphans ofContainer() {
    if (ContainerInit.isParent()) {
      return new Orphans(ProcessHandle.current().parent());
    }
    return ProcessHandle.current().pid() == 1 ? adopted() : none();
  }

  /** This process has children of its own, or adopts none. */
  static Orphans none() {
    return new Orphans(Optional.empty());
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
    return programs.equals(Set.of(program))
        ? adopter.stream()
            .flatMap(ProcessHandle::descendants)
            .filter(child -> !child.equals(program) && !child.equals(ProcessHandle.current()))
            .toList()
            .stream()
        : Stream.empty();
  }
}
