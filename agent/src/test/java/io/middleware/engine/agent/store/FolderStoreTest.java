package io.middleware.engine.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderStoreTest extends BackupStoreContract {
  private static final int ROUNDS = 300;

  @TempDir Path folder;

  @Override
  BackupStorage store() {
    return new FolderStore(folder);
  }

  @Test
  void shouldRemoveWhatAKilledWriteHasLeft() throws IOException {
    var left = Files.createFile(folder.resolve(unfinished("a.rdb")));
    var other = Files.createFile(folder.resolve(unfinished("b.rdb")));
    var longer = Files.createFile(folder.resolve(unfinished("a.rdb.1")));

    store().write("a.rdb", Noise.of(1));

    assertThat(left).doesNotExist();
    assertThat(other).exists();
    assertThat(longer).exists();
    assertThat(store().list("")).containsExactly("a.rdb");
  }

  @Test
  void shouldDeleteWhatAKilledWriteHasLeft() throws IOException {
    store().write("shop/a.rdb", Noise.of(1));
    var left = Files.createFile(folder.resolve("shop").resolve(unfinished("a.rdb")));
    var other = Files.createFile(folder.resolve("shop").resolve(unfinished("b.rdb")));

    store().delete("shop/a.rdb");
    store().delete("nowhere/a.rdb");

    assertThat(left).doesNotExist();
    assertThat(other).exists();
    assertThat(store().list("")).isEmpty();
  }

  @Test
  void shouldLeaveNoFolderOfADeletedBackup() {
    store().write("shop/cache/b1/redis/one.1", Noise.of(1));
    store().write("shop/cache/b1/redis/two.1", Noise.of(1));

    store().delete("shop/cache/b1/redis/one.1");
    assertThat(store().list("")).containsExactly("shop/cache/b1/redis/two.1");

    store().delete("shop/cache/b1/redis/two.1");
    assertThat(folder.resolve("shop/cache/b1")).doesNotExist();
    assertThat(folder.resolve("shop/cache")).exists();
    store().delete("shop/cache/b1/redis/two.1");
  }

  @Test
  void shouldWriteWhileFoldersBesideAreRemoved() throws Exception {
    var written = new AtomicInteger();
    var other =
        CompletableFuture.runAsync(
            () -> {
              for (; written.get() < ROUNDS; Thread.onSpinWait()) {
                store().delete("shop/cache/b1/redis/two.1");
              }
            });
    try {
      for (; written.get() < ROUNDS; written.incrementAndGet()) {
        store().write("shop/cache/b1/redis/one.1", Noise.of(1));
        store().delete("shop/cache/b1/redis/one.1");
      }
    } finally {
      written.set(ROUNDS);
    }
    other.get(4, TimeUnit.MINUTES);
  }

  private static String unfinished(String key) {
    return ".%s.%s.unfinished".formatted(key, UUID.randomUUID());
  }

  @Test
  void shouldNotWriteBesideAVolumeThatIsNotMounted() {
    var missing = folder.resolve("missing");

    for (ThrowingCallable write :
        List.<ThrowingCallable>of(
            () -> new FolderStore(missing).write("a.rdb", Noise.of(1)),
            () -> new FolderStore(missing).requireWritable("a.rdb"))) {
      assertThatThrownBy(write)
          .hasMessage(
              "FAILED_PRECONDITION: cannot write %s/a.rdb: there is no folder %s: mount the volume of the store there"
                  .formatted(missing, missing));
    }
  }

  /** It stays so, however often it is tried. */
  @Test
  void shouldSayWhatIsInTheWay() throws IOException {
    Files.createFile(folder.resolve("shop"));
    Files.createDirectories(folder.resolve("other/a.rdb/b"));

    assertThatThrownBy(() -> store().write("shop/cache/a.rdb", Noise.of(1)))
        .hasMessage(
            "FAILED_PRECONDITION: cannot write %s/shop/cache/a.rdb: %s/shop is a file where a folder should be: move it away"
                .formatted(folder, folder));
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> store().write("other/a.rdb", Noise.of(1)),
            () -> store().read("other/a.rdb", OutputStream.nullOutputStream()),
            () -> store().delete("other/a.rdb"))) {
      assertThatThrownBy(call)
          .hasMessageStartingWith("FAILED_PRECONDITION: cannot ")
          .hasMessageEndingWith("/other/a.rdb is a folder where a file should be: move it away");
    }
  }

  @Test
  void shouldSayThatItMayNotWrite() {
    var denied = new AccessDeniedException("/backup/shop");

    assertThat(FolderStore.lasting(folder, folder.resolve("a.rdb"), denied).orElseThrow())
        .isEqualTo(
            "the agent may not use /backup/shop: give the user and group of its pod the rights on the volume, for example by securityContext.fsGroup");
    assertThat(FolderStore.lasting(folder, folder.resolve("a.rdb"), new IOException("busy")))
        .isEmpty();
  }

  /** On a volume of 4 MiB, which only root can make. */
  @Test
  void shouldSayThatTheVolumeIsFull() throws IOException {
    assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder.toString()));
    try {
      assertThatThrownBy(() -> store().write("a.rdb", Noise.of(8 * Noise.MIB)))
          .hasMessage(
              "FAILED_PRECONDITION: cannot write %s/a.rdb: the volume is full: free space in %s"
                  .formatted(folder, folder));
      try (var left = Files.list(folder)) {
        assertThat(left).isEmpty();
      }
    } finally {
      // a process that another test has just begun may still have its files open
      run("umount", "--lazy", folder.toString());
    }
  }

  private static boolean run(String... command) throws IOException {
    return new ProcessBuilder(command).start().onExit().join().exitValue() == 0;
  }
}
