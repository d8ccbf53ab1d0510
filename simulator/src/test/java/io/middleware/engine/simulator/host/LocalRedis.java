package io.middleware.engine.simulator.host;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The container {@code redis} of the Redis Plugin, run on this machine with one data folder. */
final class LocalRedis implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofMinutes(4);

  private final Path folder;
  private final String address;
  private LocalRuntime runtime = LocalRuntime.REDIS_7_0;
  private Set<String> secrets = Set.of();
  private Process process;

  LocalRedis(Path folder, String address) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.address = address;
    Files.createDirectories(data());
  }

  /** With its next start. */
  void become(LocalRuntime next) {
    runtime = next;
  }

  /** With its next start: it gets these Secrets, which stand in folders beside its data. */
  void mount(Set<String> parameters) {
    secrets = parameters;
  }

  /** Of this process alone, so that tests of two checkouts can run at once. */
  static String address(int net, int number) {
    return "127.%d.%d.%d".formatted(100 + ProcessHandle.current().pid() % 100, net, number);
  }

  Path data() {
    return folder.resolve("data");
  }

  Path manifest() {
    return data().resolve("appendonlydir/appendonly.aof.manifest");
  }

  /** Returns when it serves as a primary. */
  void start(String appendonly, String... lines) throws IOException {
    begin(appendonly, lines);
    await().atMost(PATIENCE).until(() -> call("replicaof", "no", "one").equals("OK"));
    await().atMost(PATIENCE).until(() -> call("ping").equals("PONG"));
  }

  /** Returns the exit code of a start that fails. */
  int startInVain(String appendonly) throws IOException, InterruptedException {
    begin(appendonly);
    return process.waitFor();
  }

  void begin(String appendonly, String... lines) throws IOException {
    Files.write(
        folder.resolve("redis.conf"),
        Stream.concat(Stream.of("appendonly " + appendonly, "save 3600 1"), Stream.of(lines))
            .toList());
    var container = RedisPluginContainer.of(runtime.runtime(), secrets);
    process = run(Stream.concat(container.getCommand().stream(), container.getArgs().stream()));
  }

  /** Runs the hook to its end; returns its exit code. */
  int preStop() throws IOException, InterruptedException {
    var hook =
        RedisPluginContainer.of(runtime.runtime(), secrets).getLifecycle().getPreStop().getExec();
    return run(hook.getCommand().stream()).waitFor();
  }

  private Process run(Stream<String> command) throws IOException {
    var local =
        Stream.concat(Stream.of("env"), command) // finds programs by the PATH below
            .map(one -> one.replace("$(POD_IP)", address))
            .map(one -> one.startsWith("/data") ? data() + one.substring(5) : one)
            .map(one -> one.equals("/etc/redis/redis.conf") ? folder + "/redis.conf" : one)
            .map(one -> one.replace("/etc/redis-tls", folder + "/tls"))
            .toList();
    var builder =
        new ProcessBuilder(local)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(folder.resolve("log").toFile()));
    builder.environment().put("PATH", runtime.searchPath());
    builder.environment().put("POD_IP", address);
    builder.environment().put("POD_UID", "uid");
    return builder.start();
  }

  void stop() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Makes it have this many keys. */
  void fill(int keys) throws IOException {
    var cli = cli("--pipe");
    try (var in = cli.outputWriter()) {
      for (var key : IntStream.rangeClosed(1, keys).toArray()) {
        in.write("SET key:%d value-%d\r\n".formatted(key, key));
      }
    }
    cli.inputReader().lines().forEach(line -> {});
  }

  int size() throws IOException {
    return Integer.parseInt(call("dbsize"));
  }

  /** What Redis answers to a command. */
  String call(String... command) throws IOException {
    var cli = cli(command);
    try (var answer = cli.inputReader()) {
      return String.join("\n", answer.lines().toList());
    }
  }

  private Process cli(String... arguments) throws IOException {
    var program = LocalRuntime.redis().resolveSibling("redis-cli").toString();
    var command = Stream.concat(Stream.of(program, "-h", address), Stream.of(arguments)).toList();
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** The files that a start has kept aside. */
  List<Path> setAside(String what) throws IOException {
    try (var files = Files.list(data())) {
      return files
          .filter(one -> one.getFileName().toString().startsWith("set-aside-" + what))
          .toList();
    }
  }

  String output() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }
}
