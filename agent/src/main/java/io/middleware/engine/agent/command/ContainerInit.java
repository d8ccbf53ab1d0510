package io.middleware.engine.agent.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The first process of a container in which the agent runs the programs of others: a shell. A
 * process whose parent has ended becomes its child, and a shell asks how all its children have
 * ended; Java asks only of those that it has started, so that the others stay as zombies.
 */
public final class ContainerInit {
  /** The option of Java that says that this is its parent. */
  public static final String OPTION = "-Dmiddleware.agent.init=true";

  private static final String SCRIPT =
      """
      #!/bin/sh
      # The first process of a container. Starts the program, passes SIGTERM on to it, and ends as it does. Meanwhile
      # it takes the end of each process whose parent has ended.
      _ended='' _program=''
      trap '_ended=yes; [ -z "$_program" ] || kill "$_program"' TERM INT
      "$@" &
      _program=$!
      [ -z "$_ended" ] || kill "$_program"
      while
        wait "$_program"
        _code=$?
        kill -0 "$_program" 2>/dev/null
      do :; done
      exit "$_code"
      """;

  private ContainerInit() {}

  /** Writes it, as a program that is called with another one. */
  public static void write(Path file) throws IOException {
    Files.writeString(file, SCRIPT);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Whether the parent of this process is one. */
  static boolean isParent() {
    return Boolean.getBoolean("middleware.agent.init");
  }
}
