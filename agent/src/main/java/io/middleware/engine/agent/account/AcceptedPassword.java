package io.middleware.engine.agent.account;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The last password of the engine's own account that all servers accepted, or the first one that
 * this pod has had. A changed one reaches them one after the other, so this one is used until all
 * have both. An agent that starts again finds it in a file, as its own server may not have the
 * changed one yet.
 */
public final class AcceptedPassword {
  private final Optional<Path> file;
  private volatile Optional<Password> known;

  /**
   * @param folder in memory; empty: it is not kept when the agent ends
   */
  public AcceptedPassword(Optional<Path> folder) {
    this.file = folder.map(it -> it.resolve("accepted-password"));
    this.known = file.filter(Files::isRegularFile).map(AcceptedPassword::read);
  }

  /** Empty while none is known. */
  public Optional<Password> get() {
    return known;
  }

  /**
   * Takes the place of the earlier one. Actions put one beside what the agent does all the time.
   */
  public synchronized void put(Password password) {
    file.ifPresent(it -> write(it, password));
    known = Optional.of(password);
  }

  private static Password read(Path file) {
    try {
      return new Password(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("read " + file, e);
    }
  }

  private static void write(Path file, Password password) {
    try {
      AccountFiles.replace(file, password.text());
    } catch (IOException e) {
      throw new UncheckedIOException("keep the accepted password in " + file, e);
    }
  }
}
