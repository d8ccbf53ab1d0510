package io.middleware.engine.agent.account;

import io.middleware.engine.agent.driver.OutdatedSecret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A folder of the pod with a file {@code accounts/NAME} for each account, which holds its password,
 * and a file {@code anonymous}. During a rotation there is {@code next/NAME} or {@code
 * previous/NAME} as well. The kubelet brings a changed Secret there within about a minute, so they
 * are read at each use.
 *
 * @param folder empty: the middleware has no passwords
 * @param memory folder for the {@link AcceptedPassword}; empty: there is none
 */
public record AccountFiles(Optional<Path> folder, Optional<Path> memory) {
  /** There are no passwords. */
  public static final AccountFiles NONE = new AccountFiles(Optional.empty());

  /** The account of the agents, of replication and of Sentinels. */
  public static final String ENGINE = "default";

  public AccountFiles(Optional<Path> folder) {
    this(folder, Optional.empty());
  }

  /** Whether clients without an account are refused. */
  public boolean refuseAnonymous() {
    return folder
        .map(it -> it.resolve("anonymous"))
        .filter(Files::isRegularFile)
        .map(AccountFiles::read)
        .filter("no"::equals)
        .isPresent();
  }

  /** The password of the engine's own account; empty when there are no passwords. */
  public Optional<Password> engine() {
    return Optional.ofNullable(passwords().get(ENGINE));
  }

  /** The accounts that the App asks for, in a folder beside this one. */
  public AppAccounts ofApp() {
    return new AppAccounts(
        folder.map(it -> it.resolveSibling(it.getFileName() + "-of-app")), memory);
  }

  /**
   * The current ones by account.
   *
   * @throws UncheckedIOException when they cannot be read
   */
  public Map<String, Password> passwords() {
    return in("accounts");
  }

  /**
   * All that are accepted, by account.
   *
   * @throws UncheckedIOException when they cannot be read
   */
  public Map<String, KeptPasswords> kept() {
    var next = in("next");
    var previous = in("previous");
    var kept = new TreeMap<String, KeptPasswords>();
    passwords()
        .forEach(
            (name, current) ->
                kept.put(
                    name,
                    new KeptPasswords(
                        Optional.of(current),
                        Optional.ofNullable(next.get(name)),
                        Optional.ofNullable(previous.get(name)))));
    return kept;
  }

  private Map<String, Password> in(String kind) {
    var passwords = new TreeMap<String, Password>();
    var found = folder.map(it -> it.resolve(kind));
    found
        .filter(it -> kind.equals("accounts") || Files.isDirectory(it))
        .ifPresent(
            it -> {
              try (var files = Files.list(it)) {
                files
                    .filter(Files::isRegularFile)
                    .forEach(
                        file ->
                            passwords.put(file.getFileName().toString(), new Password(read(file))));
                passwords.values().removeIf(password -> password.text().isEmpty());
              } catch (IOException e) {
                throw new UncheckedIOException("read the passwords in " + it, e);
              }
            });
    return passwords;
  }

  /**
   * Which of some parameters has another value in its file than the engine means.
   *
   * @param accounts by parameter
   * @param digests by parameter
   */
  public Optional<OutdatedSecret> outdated(
      Map<String, String> accounts, String salt, Map<String, String> digests) {
    var passwords = passwords();
    return Stream.concat(
            outdated(passwords, accounts, salt, digests), ofApp().outdated(salt, digests).stream())
        .findFirst();
  }

  private static Stream<OutdatedSecret> outdated(
      Map<String, Password> passwords,
      Map<String, String> accounts,
      String salt,
      Map<String, String> digests) {
    return new TreeMap<>(digests)
        .entrySet().stream()
            .flatMap(
                digest ->
                    Optional.ofNullable(accounts.get(digest.getKey()))
                        .flatMap(account -> Optional.ofNullable(passwords.get(account)))
                        .map(password -> password.digest(salt))
                        .filter(found -> !found.equals(digest.getValue()))
                        .map(found -> new OutdatedSecret(digest.getKey(), found))
                        .stream());
  }

  /** Many write a line break at the end of a value by mistake. */
  static String read(Path file) {
    try {
      return Files.readString(file).replaceFirst("\\n+$", "");
    } catch (IOException e) {
      throw new UncheckedIOException("read " + file, e);
    }
  }

  /** Gives a file that only this process reads another content, at once. */
  static void replace(Path file, String text) throws IOException {
    var next = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".next");
    Files.writeString(next, text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
