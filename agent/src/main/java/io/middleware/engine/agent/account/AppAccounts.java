package io.middleware.engine.agent.account;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import io.middleware.engine.agent.driver.OutdatedSecret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The accounts that the App asks for. A folder has for each the files {@code NAME} with its
 * password, {@code NAME.privileges}, and {@code NAME.rules}, which say the same to the middleware.
 *
 * <ol>
 *   <li>A changed password is added, and the earlier one stays until the middleware starts again.
 *   <li>An account that is no longer asked for is deleted. A note in memory says which ones are
 *       ours; it is written before an account is made. Without the file {@code .complete} none is:
 *       somebody may have deleted the Secret of the folder.
 *   <li>Accounts that others have made are left alone.
 * </ol>
 *
 * @param folder empty: there are none
 * @param memory folder for the note; empty: nothing is deleted
 */
public record AppAccounts(Optional<Path> folder, Optional<Path> memory) {
  /** What the parameters of accounts begin with. */
  public static final String PREFIX = "account.";

  private static final String NO_RIGHTS = "resetkeys resetchannels nocommands clearselectors ";
  private static final String RULES = ".rules";

  /** The file that is there with all that the engine has written. */
  private static final String COMPLETE = ".complete";

  private static final String NOTE = "accounts-of-app";

  /** Changes accounts of the middleware. */
  public interface Acl {
    /**
     * Makes an account, or adds to it.
     *
     * @param secret {@code reset}, which takes all away, or the hash of one more password
     */
    void setAccount(String name, String secret, String... rights);

    void deleteAccount(String name);
  }

  private record AppAccount(Password password, String privileges, String rules) {
    String[] rights(String before) {
      return (before + rules.strip()).split(" +");
    }

    String digest(String salt) {
      return new Password(password.text() + '\0' + privileges).digest(salt);
    }
  }

  /**
   * Brings the accounts of the middleware in step. May be repeated.
   *
   * @param known by name, with the hashes of their passwords
   */
  public void follow(Map<String, String> known, Acl acl) {
    var desired = desired();
    var made = made();
    if (!made.keySet().containsAll(desired.keySet())) {
      var more = new TreeMap<>(made);
      desired.keySet().forEach(name -> more.putIfAbsent(name, ""));
      note(more);
    }
    desired.forEach((name, account) -> follow(name, account, known, made, acl));
    var now = new TreeMap<>(made);
    now.keySet().removeIf(name -> !desired.containsKey(name) && isTakenOut(name));
    made.keySet().stream()
        .filter(name -> !now.containsKey(name) && known.containsKey(name))
        .forEach(acl::deleteAccount);
    desired.forEach((name, account) -> now.put(name, account.rules()));
    if (!now.equals(made)) {
      note(now);
    }
  }

  /** In this order: a Secret that goes between the two looks takes nothing with it. */
  private boolean isTakenOut(String name) {
    return !isThere(name + RULES) && isThere(COMPLETE);
  }

  private boolean isThere(String file) {
    return folder.map(it -> it.resolve(file)).filter(Files::isRegularFile).isPresent();
  }

  private static void follow(
      String name,
      AppAccount account,
      Map<String, String> known,
      Map<String, String> made,
      Acl acl) {
    var hasPassword = known.getOrDefault(name, "").contains("#" + account.password().hash());
    if (!known.containsKey(name) || !made.containsKey(name)) {
      acl.setAccount(name, "reset", account.rights("on #" + account.password().hash() + " "));
    } else if (!hasPassword || !account.rules().equals(made.get(name))) {
      acl.setAccount(name, "#" + account.password().hash(), account.rights(NO_RIGHTS));
    }
  }

  /**
   * Which of some parameters has another account in its files than the engine means.
   *
   * @param digests by parameter
   */
  Optional<OutdatedSecret> outdated(String salt, Map<String, String> digests) {
    var desired = desired();
    return new TreeMap<>(digests)
        .entrySet().stream()
            .filter(digest -> digest.getKey().startsWith(PREFIX))
            .map(
                digest ->
                    new OutdatedSecret(digest.getKey(), found(desired, digest.getKey(), salt)))
            .filter(it -> !it.found().equals(digests.get(it.parameter())))
            .findFirst();
  }

  private static String found(Map<String, AppAccount> desired, String parameter, String salt) {
    return Optional.ofNullable(desired.get(parameter.substring(PREFIX.length())))
        .map(account -> account.digest(salt))
        .orElse("");
  }

  private Map<String, AppAccount> desired() {
    var accounts = new TreeMap<String, AppAccount>();
    folder
        .filter(Files::isDirectory)
        .ifPresent(
            it -> {
              try (var files = Files.list(it)) {
                files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !name.contains("."))
                    .forEach(name -> account(it, name).ifPresent(one -> accounts.put(name, one)));
              } catch (IOException e) {
                throw new UncheckedIOException("read the accounts in " + it, e);
              }
            });
    return accounts;
  }

  /** Empty while not all of it is there. */
  private static Optional<AppAccount> account(Path folder, String name) {
    var parts =
        Stream.of(name, name + ".privileges", name + RULES)
            .map(folder::resolve)
            .filter(Files::isRegularFile)
            .map(AccountFiles::read)
            .filter(text -> !text.isEmpty())
            .toList();
    return parts.size() < 3
        ? Optional.empty()
        : Optional.of(new AppAccount(new Password(parts.get(0)), parts.get(1), parts.get(2)));
  }

  /** The rules of each account that is ours. */
  private Map<String, String> made() {
    return memory
        .map(it -> it.resolve(NOTE))
        .filter(Files::isRegularFile)
        .map(AccountFiles::read)
        .map(
            text ->
                text.lines()
                    .map(line -> line.split(" ", 2))
                    .collect(toMap(line -> line[0], line -> line[1])))
        .orElseGet(Map::of);
  }

  private void note(Map<String, String> accounts) {
    memory.ifPresent(
        it -> {
          try {
            AccountFiles.replace(
                it.resolve(NOTE),
                new TreeMap<>(accounts)
                    .entrySet().stream()
                        .map(one -> one.getKey() + " " + one.getValue() + "\n")
                        .collect(joining()));
          } catch (IOException e) {
            throw new UncheckedIOException("note which accounts are the App's in " + it, e);
          }
        });
  }
}
