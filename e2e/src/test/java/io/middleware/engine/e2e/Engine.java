package io.middleware.engine.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The running local environment, as {@code dev/env} describes it, and its dev commands. */
public final class Engine {
  public static final Path CHECKOUT =
      Path.of(System.getProperty("checkout", "..")).toAbsolutePath();

  private Engine() {}

  /** A variable of {@code dev/env}. */
  public static String variable(String name) {
    var value = System.getenv(name);
    if (value == null) {
      throw new IllegalStateException(
          name + " is not set: dev/up --instance test && eval \"$(dev/env --instance test)\"");
    }
    return value;
  }

  /** Runs {@code dev/<command>} on this instance and returns what it printed. */
  public static String dev(String command, String... arguments) {
    var words =
        Stream.concat(
                Stream.of(CHECKOUT.resolve("dev").resolve(command).toString()),
                Stream.concat(
                    Stream.of(arguments), Stream.of("--instance", variable("DEV_INSTANCE"))))
            .toList();
    return run(words);
  }

  /** Runs a program to its end and returns its output; fails when it fails. */
  public static String run(List<String> words) {
    try {
      var process = new ProcessBuilder(words).redirectErrorStream(true).start();
      var output =
          new String(
              process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IllegalStateException(String.join(" ", words) + " failed: " + output);
      }
      return output;
    } catch (IOException e) {
      throw new IllegalStateException(String.join(" ", words), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
