package io.middleware.engine.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Processes that die, stand still for 2 to 20 s, or lose what they knew, one after the other. */
final class RandomTrouble implements AutoCloseable {
  private static final int LONGEST_PAUSE_MILLIS = 12_000;
  private static final List<String> ENGINE = List.of("worker", "watcher");
  private static final List<String> ALL =
      List.of("worker", "watcher", "temporal", "kube-apiserver");

  private final Random random;
  private final Path data = Path.of(Engine.variable("INSTANCE_DIR"), "data");
  private final Path copy;
  private final Thread thread = new Thread(this::go, "trouble");
  private volatile boolean over;

  RandomTrouble(long seed) {
    random = new Random(seed);
    try {
      copy = Files.createTempDirectory("temporal-data");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  void start() {
    thread.start();
  }

  @Override
  public void close() {
    over = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void go() {
    while (!over) {
      try {
        Thread.sleep(4000 + random.nextInt(LONGEST_PAUSE_MILLIS));
        strike();
      } catch (InterruptedException | IOException e) {
        throw new IllegalStateException(e);
      } catch (IllegalStateException e) {
        System.out.println("(" + e.getMessage() + ")"); // it is being started just now
      }
    }
  }

  private void strike() throws IOException {
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> kill(ENGINE.get(random.nextInt(ENGINE.size())));
      case 3, 4 -> freeze(ALL.get(random.nextInt(ALL.size())), 2 + random.nextInt(4));
      case 5 -> freeze(ENGINE.get(random.nextInt(ENGINE.size())), 2 + random.nextInt(19));
      case 6 -> keep();
      default -> restore();
    }
  }

  private void kill(String process) {
    System.out.println("kill " + process);
    Engine.kill(process);
  }

  private void freeze(String process, int seconds) {
    System.out.println("freeze %s for %d s".formatted(process, seconds));
    Engine.freeze(process, Duration.ofSeconds(seconds));
  }

  /** Copies Temporal's data while the server stands still. */
  private void keep() throws IOException {
    System.out.println("copy Temporal's data");
    var pid = Engine.pid("temporal");
    Engine.run(List.of("kill", "-STOP", pid));
    try {
      transfer(data, copy);
    } finally {
      Engine.run(List.of("kill", "-CONT", pid));
    }
  }

  private void restore() throws IOException {
    if (files(copy).isEmpty()) {
      return;
    }
    System.out.println("restore Temporal's data");
    Engine.dev("stop", "temporal");
    try {
      transfer(copy, data);
    } finally {
      Engine.dev("start", "temporal");
    }
  }

  private static void transfer(Path from, Path to) throws IOException {
    for (var old : files(to)) {
      Files.delete(old);
    }
    for (var file : files(from)) {
      Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** The database and its journals. */
  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().startsWith("temporal.db")).toList();
    }
  }
}
