package io.middleware.engine.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A real S3 server on a loopback address, with one bucket; every object is a file. */
public final class S3Server implements AutoCloseable {
  public static final String BUCKET = "backups";

  private static final String HOST = "localhost";
  private static final String ACCESS_KEY = "tests";
  private static final String SECRET_KEY = "secret-of-tests";
  private static final Path GO_MOD = Path.of("..", "dev", "tools", "versitygw", "go.mod");

  private final Path folder;
  private final int port;
  private final List<String> tls;
  private Process process;

  private S3Server(Path folder, List<String> tls) throws IOException {
    this.folder = folder;
    this.tls = tls;
    try (var free = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      this.port = free.getLocalPort();
    }
    Files.createDirectories(folder.resolve("metadata"));
    Files.createDirectories(bucket());
    start();
  }

  public static S3Server in(Path folder) throws IOException {
    return new S3Server(folder, List.of());
  }

  static S3Server withTls(Path folder, Path certificate, Path key) throws IOException {
    return new S3Server(folder, List.of("--cert", certificate.toString(), "--key", key.toString()));
  }

  /** Writes the settings of a store in this server, and returns their folder. */
  public StoreFiles settings() throws IOException {
    var settings = Files.createDirectories(folder.resolve("settings"));
    var scheme = tls.isEmpty() ? "http" : "https";
    Files.writeString(settings.resolve("endpoint"), "%s://%s:%d".formatted(scheme, HOST, port));
    Files.writeString(settings.resolve("bucket"), BUCKET);
    Files.writeString(settings.resolve("prefix"), "engine");
    Files.writeString(settings.resolve("access-key"), ACCESS_KEY);
    Files.writeString(settings.resolve("secret-key"), SECRET_KEY + "\n");
    return new StoreFiles(settings);
  }

  /** All files of the bucket, parts of unfinished uploads included. */
  public List<Path> files() throws IOException {
    try (var files = Files.walk(bucket())) {
      return files.filter(Files::isRegularFile).map(bucket()::relativize).toList();
    }
  }

  public Path file(String key) {
    return bucket().resolve("engine").resolve(key);
  }

  public void start() {
    List<String> command = new ArrayList<>(List.of(program().toString(), "--quiet"));
    command.addAll(List.of("--port", "%s:%d".formatted(HOST, port)));
    command.addAll(tls);
    command.addAll(List.of("posix", "--sidecar", folder.resolve("metadata").toString()));
    command.add(folder.resolve("data").toString());
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("ROOT_ACCESS_KEY", ACCESS_KEY);
    builder.environment().put("ROOT_SECRET_KEY", SECRET_KEY);
    try {
      process = builder.redirectOutput(Redirect.appendTo(folder.resolve("log").toFile())).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await().untilAsserted(() -> assertThat(answers()).isTrue());
  }

  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** The process lives but does not answer. */
  public void freeze() {
    signal("-STOP");
  }

  public void thaw() {
    signal("-CONT");
  }

  @Override
  public void close() {
    kill();
  }

  private Path bucket() {
    return folder.resolve("data").resolve(BUCKET);
  }

  private boolean answers() {
    try {
      new Socket(HOST, port).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void signal(String signal) {
    try {
      new ProcessBuilder("kill", signal, String.valueOf(process.pid())).start().onExit().join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without a program the test is skipped, and fails with CI=true or -Dservers=required. */
  private static Path program() {
    var home = System.getProperty("user.home") + "/.cache";
    var cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).orElse(home);
    var built = Path.of(cache, "middleware-engine", "versitygw-" + version());
    var path = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)).map(Path::of);
    var found =
        Stream.concat(Stream.of(built), path)
            .map(directory -> directory.resolve("versitygw"))
            .filter(Files::isExecutable)
            .findFirst();
    var missing = "there is no %s: build it with dev/lib/build-tool versitygw".formatted(built);
    if (found.isEmpty() && isRequired()) {
      throw new IllegalStateException(missing);
    }
    assumeTrue(found.isPresent(), missing);
    return found.orElseThrow();
  }

  private static boolean isRequired() {
    return "true".equals(System.getenv("CI")) || "required".equals(System.getProperty("servers"));
  }

  private static String version() {
    try (var lines = Files.lines(GO_MOD)) {
      return lines
          .map(line -> line.strip().split("\\s+"))
          .filter(words -> words[0].equals("github.com/versity/versitygw"))
          .map(words -> words[1])
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
