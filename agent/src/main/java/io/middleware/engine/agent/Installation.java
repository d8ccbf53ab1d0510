package io.middleware.engine.agent;

import io.middleware.engine.agent.command.ContainerInit;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Copies this process's Java and jars into a folder, from which a container with another image
 * starts the agent: {@code FOLDER/agent}. The folder may be mounted elsewhere then. May be
 * repeated.
 *
 * @param loader of programs of glibc, without which this Java does not start
 * @param java the folder of Java
 * @param classPath the jars of the agent
 * @param options of Java
 */
record Installation(
    Path folder, Path loader, Path java, List<Path> classPath, List<String> options) {
  private static final String COMMAND = "install";
  private static final String ARCHIVE = "-XX:SharedArchiveFile=";
  private static final Set<String> UNNEEDED = Set.of("demo", "include", "jmods", "man", "src.zip");
  private static final int MIB = 1024 * 1024;

  /**
   * @throws IllegalArgumentException when this is not how the agent is called
   */
  static Installation requested(String... args) {
    if (args.length != 2 || !args[0].equals(COMMAND) || args[1].isEmpty()) {
      throw new IllegalArgumentException(
          "unknown arguments %s: use 'install FOLDER', or none".formatted(List.of(args)));
    }
    return new Installation(
        Path.of(args[1]).toAbsolutePath(),
        loaderOf(System.getProperty("os.arch")),
        Path.of(System.getProperty("java.home")),
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath().normalize())
            .filter(Files::exists)
            .toList(),
        ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  private static Path loaderOf(String architecture) {
    return Path.of(
        architecture.equals("aarch64")
            ? "/lib/ld-linux-aarch64.so.1"
            : "/lib64/ld-linux-x86-64.so.2");
  }

  /** Returns what happened, for people. */
  String run() throws IOException {
    Files.createDirectories(folder);
    var base = classPath.stream().map(Path::getParent).reduce(Installation::common).orElseThrow();
    var size = copy(java, folder.resolve("jre"));
    for (var entry : classPath) {
      size += copy(entry, folder.resolve("app").resolve(base.relativize(entry)));
    }
    size += archives(base);
    ContainerInit.write(folder.resolve("init"));
    var start = folder.resolve("agent");
    Files.writeString(start, launcher(base));
    Files.setPosixFilePermissions(start, PosixFilePermissions.fromString("rwxr-xr-x"));
    return "%d MiB copied into %s: start the agent there with %s"
        .formatted(size / MIB, folder, start);
  }

  private static Path common(Path one, Path other) {
    var common = one;
    while (!other.startsWith(common)) {
      common = common.getParent();
    }
    return common;
  }

  /** Classes in an archive are loaded only beside the same jars with the same times. */
  private long archives(Path base) throws IOException {
    long size = 0;
    for (var option : options) {
      if (option.startsWith(ARCHIVE)) {
        var archive = Path.of(option.substring(ARCHIVE.length()));
        size += copy(archive, folder.resolve("app").resolve(base.relativize(archive)));
      }
    }
    return size;
  }

  private static long copy(Path from, Path to) throws IOException {
    long size = 0;
    try (var files = Files.walk(from)) {
      for (var file : files.filter(it -> isNeeded(from, it)).toList()) {
        var target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(
              file,
              target,
              StandardCopyOption.REPLACE_EXISTING,
              StandardCopyOption.COPY_ATTRIBUTES);
          size += Files.size(target);
        }
      }
    }
    return size;
  }

  private static boolean isNeeded(Path from, Path file) {
    return Files.exists(file)
        && (file.equals(from) || !UNNEEDED.contains(from.relativize(file).getName(0).toString()));
  }

  private String launcher(Path base) {
    var arguments =
        Stream.concat(
                options.stream().map(option -> moved(option, base)),
                Stream.of(
                    "-cp", String.join(":", classPath.stream().map(it -> here(base, it)).toList())))
            .map("  \"%s\" \\\n"::formatted)
            .toList();
    return """
        #!/bin/sh
        # Starts the agent, with the Java that is beside this file.
        here=${0%%/*}
        if [ ! -e %1$s ] || [ -e /etc/alpine-release ]; then
          why="the agent cannot start in this image: its Java needs glibc, and this image has none, as Alpine and other images with musl. Use an image of the middleware that is built on Debian, Ubuntu or Red Hat, or let the agent run as a container with its own image"
          echo "$why" >&2
          [ ! -w /dev/termination-log ] || echo "$why" >/dev/termination-log
          exit 2
        fi
        _init=''
        [ $$ -ne 1 ] || _init=$here/init
        exec ${_init:+"$_init"} "$here/jre/bin/java" ${_init:+%4$s} \\
        %2$s  %3$s "$@"
        """
        .formatted(
            loader, String.join("", arguments), AgentMain.class.getName(), ContainerInit.OPTION);
  }

  private static String moved(String option, Path base) {
    return option.startsWith(ARCHIVE)
        ? ARCHIVE + here(base, Path.of(option.substring(ARCHIVE.length())))
        : option;
  }

  private static String here(Path base, Path file) {
    return "$here/app/" + base.relativize(file);
  }
}
