package io.middleware.engine.agent.store;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Files that are seen only when they are complete and on the disk. */
public final class DurableFiles {
  private static final String UNFINISHED = ".unfinished";
  private static final String ANY_UUID = "?".repeat(36);

  private DurableFiles() {}

  /** Fills a file. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes all of the file, or nothing; removes what interrupted writes of it have left. */
  public static void write(Path file, Content content) throws IOException {
    var folder = file.getParent();
    removeUnfinished(folder, begin(file));
    var unfinished = folder.resolve(begin(file) + UUID.randomUUID() + UNFINISHED);
    try {
      try (var channel =
          FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        content.writeTo(Channels.newOutputStream(channel));
        channel.force(true);
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      sync(folder);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  /** Deletes the file, and what interrupted writes of it have left. */
  static void delete(Path file) throws IOException {
    try {
      removeUnfinished(file.getParent(), begin(file));
      Files.deleteIfExists(file);
    } catch (NoSuchFileException e) { // the folder: nobody has written, or another one has deleted
    }
  }

  /** Makes the names in the folder durable. */
  public static void sync(Path folder) throws IOException {
    try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  public static boolean isUnfinished(Path file) {
    return file.getFileName().toString().endsWith(UNFINISHED);
  }

  public static boolean isFull(IOException e) {
    var message = String.valueOf(e.getMessage());
    return message.contains("No space left") || message.contains("Disk quota exceeded");
  }

  private static String begin(Path file) {
    return "." + file.getFileName() + ".";
  }

  private static void removeUnfinished(Path folder, String begin) throws IOException {
    try (var files = Files.newDirectoryStream(folder, begin + ANY_UUID + UNFINISHED)) {
      for (var file : files) {
        Files.deleteIfExists(file);
      }
    }
  }
}
