package io.middleware.engine.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A worker process beside the one of the instance, with other settings; killed when closed. */
public final class ExtraWorker implements AutoCloseable {
  /** A process that starts takes most of what a busy machine lacks. */
  public static final Duration START = Shop.PATIENCE.multipliedBy(2);

  private final Path output;
  private final ProcessBuilder builder;
  private Process process;

  /**
   * @param output where it writes its log
   * @param options of its command line
   */
  public ExtraWorker(Path output, String... options) throws IOException {
    this(output, jars() + "/*", List.of(options));
  }

  /**
   * @param classPath of another version of the engine
   */
  public ExtraWorker(Path output, String classPath, List<String> options) throws IOException {
    this.output = output;
    var instance = Path.of(Engine.variable("INSTANCE_DIR"));
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                classPath,
                "io.middleware.engine.worker.WorkerMain",
                "--config",
                instance.resolve("engine.yaml").toString(),
                "--worker-http-address",
                "127.0.0.1:0"));
    command.addAll(options);
    builder = new ProcessBuilder(command);
    builder.environment().put("KUBECONFIG", instance.resolve("worker.kubeconfig").toString());
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    process = builder.start();
  }

  /** The folder of the worker's jars. */
  public static Path jars() {
    return Path.of(Engine.variable("INSTANCE_DIR"), "app", "worker");
  }

  public void awaitPolling() {
    awaitLog("polling for tasks");
  }

  /**
   * Waits until it has logged this. One that ends before is started again, as by its supervisor:
   * its connections take too long here.
   */
  public void awaitLog(String words) {
    await("a further worker logs '%s'".formatted(words))
        .atMost(START)
        .until(
            () -> {
              var ended = !process.isAlive(); // what it has logged at its end counts
              var logged = output().contains(words);
              if (ended && !logged) {
                process = builder.start();
              }
              return logged;
            });
  }

  /** Waits until it has ended, and returns its exit code. */
  public int exitCode() {
    return process.onExit().join().exitValue();
  }

  public String output() throws IOException {
    return Files.readString(output);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
