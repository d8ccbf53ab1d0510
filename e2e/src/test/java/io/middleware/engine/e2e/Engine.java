package io.middleware.engine.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** What {@code dev/env} says now, with what was started after the tests began. */
  public static Map<String, String> variables() {
    var variables = new HashMap<String, String>();
    dev("env")
        .lines()
        .map(line -> line.replaceFirst("^export ", ""))
        .filter(line -> line.contains("="))
        .forEach(
            line -> {
              var name = line.substring(0, line.indexOf('='));
              var value = line.substring(line.indexOf('=') + 1).strip();
              variables.put(name, value.replaceAll("^['\"]|['\"]$", ""));
            });
    return variables;
  }

  /** Runs {@code dev/<command>} on this instance and returns what it printed. */
  public static String dev(String command, String... arguments) {
    var line =
        Stream.concat(
                Stream.of(CHECKOUT.resolve("dev").resolve(command).toString()),
                Stream.concat(
                    Stream.of(arguments), Stream.of("--instance", variable("DEV_INSTANCE"))))
            .toList();
    return run(line);
  }

  /** Starts a process of this instance that was stopped, with these further variables. */
  public static void start(String process, Map<String, String> environment) {
    var command = new ArrayList<>(List.of("env"));
    environment.forEach((name, value) -> command.add(name + "=" + value));
    command.add(CHECKOUT.resolve("dev").resolve("start").toString());
    command.addAll(List.of(process, "--instance", variable("DEV_INSTANCE")));
    run(command);
  }

  /** Suspends a process of this instance for this time: it is alive, but does not answer. */
  public static void freeze(String process, Duration duration) {
    whileFrozen(
        process,
        () -> {
          try {
            Thread.sleep(duration);
          } catch (InterruptedException e) {
            throw new IllegalStateException("freeze " + process, e);
          }
        });
  }

  /** Does this while a process of this instance is suspended. */
  public static void whileFrozen(String process, Runnable action) {
    var pid = pid(process);
    run(List.of("kill", "-STOP", pid));
    try {
      action.run();
    } finally {
      run(List.of("kill", "-CONT", pid));
    }
  }

  /**
   * Ends a process of this instance with SIGKILL; its supervisor starts it again. One that was
   * ended just now is waited for.
   */
  public static void kill(String process) {
    await(process)
        .atMost(Shop.PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptions()
        .until(
            () -> {
              run(List.of("kill", "-KILL", pid(process)));
              return true;
            });
  }

  /** The id of a process of this instance that runs now. */
  public static String pid(String process) {
    var file = Path.of(variable("INSTANCE_DIR"), "pid", process);
    try {
      return Files.readString(file).strip().split("\\s+")[0];
    } catch (IOException e) {
      throw new IllegalStateException("read the process id of " + process + " in " + file, e);
    }
  }

  /** What the process at this address answers to {@code /readyz}; fails when nobody listens. */
  public static int readiness(String address) throws IOException {
    return get(address + "/readyz").statusCode();
  }

  /** The checks of the process at this address. */
  public static String readyz(String address) throws IOException {
    return get(address + "/readyz").body();
  }

  /** The metrics of the process at this address, in Prometheus' text format. */
  public static String metrics(String address) throws IOException {
    return get(address + "/metrics").body();
  }

  static HttpResponse<String> get(String url) throws IOException {
    var request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30)).build();
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Waits for a process that is starting. */
  public static void awaitReady(String address) {
    await(address + " ready")
        .atMost(Shop.PATIENCE)
        .ignoreExceptions()
        .until(() -> readiness(address) == 200);
  }

  /** A port of this machine that is free at the moment. */
  public static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Runs a program to its end and returns its output; fails when the program does. */
  public static String run(List<String> command) {
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      var output =
          new String(
              process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IllegalStateException(String.join(" ", command) + " failed: " + output);
      }
      return output;
    } catch (IOException e) {
      throw new IllegalStateException(String.join(" ", command), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
