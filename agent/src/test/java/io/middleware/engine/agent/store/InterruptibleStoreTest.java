package io.middleware.engine.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.agent.store.StoreSettings.Folder;
import io.middleware.engine.agent.store.StoreSettings.S3;
import io.middleware.engine.agent.store.StoreSettings.S3Credentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores that hang: a bucket that never answers, a folder whose file can never be opened. */
class InterruptibleStoreTest {
  private static final String KEY = "a.rdb";

  @TempDir Path folder;

  static Stream<Consumer<BackupStorage>> calls() {
    return Stream.of(
        store -> store.requireWritable(KEY),
        store -> store.write(KEY, new ByteArrayInputStream(new byte[1])),
        store -> store.read(KEY, OutputStream.nullOutputStream()),
        store -> store.size(KEY),
        store -> store.delete(KEY),
        store -> store.list(""));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void shouldEndWhenABucketDoesNotAnswer(Consumer<BackupStorage> call) throws IOException {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var store = bucket(silent.getLocalPort()).open()) {
      // When Then
      var accepted = CompletableFuture.supplyAsync(() -> accept(silent));
      assertThat(interrupted(store, call, accepted::join)).startsWith("UNAVAILABLE: cannot ");
    }
  }

  /** Nobody ever writes into the pipe, so that nobody can open it for reading. */
  @Test
  void shouldEndWhenAFolderHangs() throws Exception {
    // Given
    var made = new ProcessBuilder("mkfifo", folder.resolve(KEY).toString()).start().waitFor();
    assertThat(made).isZero();
    try (var store = new Folder(folder).open()) {
      // When Then
      var message =
          interrupted(
              store,
              it -> it.read(KEY, OutputStream.nullOutputStream()),
              InterruptibleStoreTest::opened);
      assertThat(message)
          .isEqualTo(
              "UNAVAILABLE: cannot read %s: the store did not answer until then: check that it is reachable"
                  .formatted(folder.resolve(KEY)));
    }
    Files.newOutputStream(folder.resolve(KEY)).close(); // ends the thread that is left
  }

  /** What a call says that is interrupted once it hangs. */
  private static String interrupted(
      BackupStorage store, Consumer<BackupStorage> call, Runnable hangs) {
    var said = new CompletableFuture<String>();
    var caller =
        Thread.startVirtualThread(
            () -> {
              try {
                call.accept(store);
                said.complete("ended");
              } catch (RuntimeException e) {
                said.complete(e.getMessage());
              }
            });
    hangs.run();
    caller.interrupt();
    await().until(said::isDone);
    return said.join();
  }

  private static S3 bucket(int port) {
    return new S3(
        URI.create("http://127.0.0.1:" + port),
        "backups",
        "",
        "us-east-1",
        true,
        new S3Credentials("key", "secret"),
        Optional.empty());
  }

  private static boolean accept(ServerSocket silent) {
    try {
      return silent.accept().isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static void opened() {
    await()
        .until(
            () ->
                Thread.getAllStackTraces().values().stream()
                    .flatMap(Stream::of)
                    .anyMatch(
                        at ->
                            at.getClassName().equals(FolderStore.class.getName())
                                && at.getMethodName().contains("read")));
  }
}
