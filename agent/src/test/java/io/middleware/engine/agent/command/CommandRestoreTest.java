package io.middleware.engine.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.agent.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandRestoreTest {
  private static final String CHECKSUM =
      "sha256:4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a";

  @TempDir Path folder;
  @TempDir Path stored;
  @TempDir Path work;
  private CommandRestore restore;

  @BeforeEach
  void prepare() throws IOException {
    Files.write(stored.resolve("k"), new byte[] {1});
    restore =
        new CommandRestore(
            folder,
            () -> new StoreSettings.Folder(stored),
            work.resolve("request"),
            CommandPlace.here());
  }

  @Test
  void shouldGiveTheBackupToTheCommand() throws IOException {
    request("key k\nchecksum " + CHECKSUM);
    script("cat > %s; echo $PARAM_KEY is in place".formatted(work.resolve("data")));

    assertThat(restore.run()).isEqualTo("restored from " + stored.resolve("k") + ": k is in place");
    assertThat(work.resolve("data")).hasBinaryContent(new byte[] {1});
  }

  @Test
  void shouldHaveNothingToDoWithoutARequest() throws IOException {
    script("touch " + work.resolve("data"));

    assertThat(restore.run()).startsWith("nothing to restore: ");
    assertThat(work.resolve("data")).doesNotExist();
  }

  @Test
  void shouldSayWhyTheCommandFails() throws IOException {
    request("key k\nchecksum " + CHECKSUM);
    script("echo the volume is full; exit 7");

    assertThatThrownBy(restore::run)
        .hasMessageContaining(
            "cannot restore k: the command restore ended with exit code 7: the volume is full");
  }

  @Test
  void shouldSayThatThereIsNoCommand() throws IOException {
    request("key k\nchecksum " + CHECKSUM);

    assertThatThrownBy(restore::run).hasMessageContaining("there is no file restore in " + folder);
  }

  private void request(String text) throws IOException {
    Files.writeString(work.resolve("request"), text);
  }

  private void script(String command) throws IOException {
    Files.writeString(folder.resolve("restore"), "#!/bin/sh\n" + command + "\n");
  }
}
