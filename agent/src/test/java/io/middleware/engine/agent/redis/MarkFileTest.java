package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.agent.replication.ReplicationMark;
import io.middleware.engine.agent.replication.ReplicationMark.Standing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkFileTest {
  private static final ReplicationMark MARK =
      new ReplicationMark("aa", 3, Standing.PRIMARY, "b0", 77);

  @TempDir private Path folder;

  @Test
  void shouldKeepTheLastMark() throws IOException {
    var file = file("shop/db");
    file.write(MARK.at(5));
    file.write(MARK);

    assertThat(file.read()).contains(MARK);
    assertThat(folder).isDirectoryContaining("glob:**/.replication-mark");
    assertThat(folder.toFile().list()).hasSize(1);
  }

  @Test
  void shouldHaveNoneOnANewVolumeOrOneOfAnotherGroup() throws IOException {
    assertThat(file("shop/db").read()).isEmpty();
    file("shop/db").write(MARK);
    assertThat(file("toys/db").read()).isEmpty();
  }

  @Test
  void shouldHaveNoneWhenTheFileIsNoMark() throws IOException {
    Files.writeString(folder.resolve(".replication-mark"), "shop/db\nmark9\n");

    assertThat(file("shop/db").read()).isEmpty();
  }

  @Test
  void shouldNotGuessWhenItCannotBeRead() throws IOException {
    Files.createDirectory(folder.resolve(".replication-mark"));

    assertThatThrownBy(file("shop/db")::read)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("read the replication mark in " + folder);
  }

  @Test
  void shouldKeepNothingWithoutAFolder() throws IOException {
    var none = new MarkFile(Optional.empty(), "shop/db");
    none.write(MARK);

    assertThat(none.read()).isEmpty();
  }

  private MarkFile file(String group) {
    return new MarkFile(Optional.of(folder), group);
  }
}
