package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.replication.ReplicationMark;
import io.middleware.engine.agent.replication.ReplicationMark.Standing;
import io.middleware.engine.agent.store.DurableFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The mark on the volume of a pod.
 *
 * @param folder of the data; empty: the agent has none, so marks last as long as Redis runs
 * @param group whose mark it is: a volume of another group, such as a clone, has none for this one
 */
public record MarkFile(Optional<Path> folder, String group) {
  private static final String NAME = ".replication-mark";

  /** The begin of the snapshot that the start of the container has made the base of a log. */
  private static final String LOG_BASE = ".log-base";

  /**
   * Empty when the volume has no mark of this group.
   *
   * @throws UncheckedIOException when that cannot be known
   */
  Optional<ReplicationMark> read() {
    return folder.flatMap(this::read);
  }

  private Optional<ReplicationMark> read(Path volume) {
    try {
      var lines = Files.readAllLines(volume.resolve(NAME));
      return lines.size() == 2 && lines.getFirst().equals(group)
          ? ReplicationMark.parse(lines.getLast())
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("read the replication mark in " + volume, e);
    }
  }

  /**
   * The mark of the data with which Redis has started: a log that begins with a snapshot has no
   * more than that, and Redis forgets how much it is. The snapshot of a clean end has all that the
   * mark knows of.
   *
   * @throws UncheckedIOException when that cannot be known
   */
  ReplicationMark afterStart(ReplicationMark mark) {
    var base = folder.map(data -> data.resolve(LOG_BASE)).filter(Files::exists);
    if (base.isEmpty() || mark.epoch() == 0) {
      return mark;
    }
    try {
      var begin = Files.readAllBytes(base.get());
      var offset = RdbHeader.field(begin, "repl-offset").map(Long::parseLong).orElse(0L);
      var isKnown = RdbHeader.field(begin, "repl-id").filter(mark.history()::equals).isPresent();
      var isComplete = offset >= mark.offset();
      return mark.with(isKnown && isComplete ? mark.standing() : Standing.BEHIND)
          .at(isKnown || isComplete ? offset : 0);
    } catch (IOException e) {
      throw new UncheckedIOException("read the begin of the snapshot in " + base.get(), e);
    }
  }

  /** To be called when the mark is written that {@link #afterStart} has given. */
  void startIsMarked() throws IOException {
    if (folder.isPresent()) {
      Files.deleteIfExists(folder.get().resolve(LOG_BASE));
    }
  }

  /** Returns when the mark is on the disk. */
  void write(ReplicationMark mark) throws IOException {
    if (folder.isPresent()) {
      var text = String.join("\n", List.of(group, mark.text(), ""));
      DurableFiles.write(
          folder.get().resolve(NAME), out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** Other data take the place of those that were marked. */
  public static void remove(Path volume) throws IOException {
    Files.deleteIfExists(volume.resolve(NAME));
  }
}
