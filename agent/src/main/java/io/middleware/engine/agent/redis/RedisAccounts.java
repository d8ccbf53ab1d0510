package io.middleware.engine.agent.redis;

import io.grpc.Status;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.account.AppAccounts;
import io.middleware.engine.agent.account.KeptPasswords;
import io.middleware.engine.agent.account.Password;
import io.middleware.engine.agent.account.PasswordRotation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The accounts of one Redis. The start of its container has set them; this follows what changes.
 *
 * <ol>
 *   <li><b>Passwords.</b> A changed one is added. The earlier one is accepted until Redis starts
 *       again, so that nobody is refused while pods learn it one after the other.
 *   <li><b>Anonymous clients</b> are the account {@code default} without a password. They are
 *       refused from a reload on, when all pods of the group have started with passwords, and never
 *       before: a Redis without one could not join. A file on the volume remembers that, until the
 *       App asks for it no more. Another one beside the agent does as well, because the mounted
 *       file may be older than the reload when the container starts again.
 *   <li><b>Rotations.</b> All passwords in the files are accepted, and the current one is used. At
 *       the end of a rotation the engine asks to accept no other one.
 *   <li>{@link AppAccounts} are those that the App asks for. Those that others have made are left
 *       alone.
 * </ol>
 *
 * @param data the folder of Redis; empty: not mounted
 */
public record RedisAccounts(RedisGroup group, Optional<Path> data) {
  /** The parameter with the password of the engine's own account. */
  static final String ENGINE_PASSWORD = "engine-password";

  private static final String ANONYMOUS = "anonymous";

  /** The accounts whose passwords are parameters. */
  static final Map<String, String> ACCOUNTS =
      Map.of("password", "app", ENGINE_PASSWORD, AccountFiles.ENGINE);

  /** The parameters that are not Redis' own. */
  private static final Set<String> PARAMETERS = Set.of(ANONYMOUS, "password", ENGINE_PASSWORD);

  /** The same in the start of the container. */
  private static final String CLOSED = ".closed-to-anonymous";

  private static final String[] RIGHTS_OF_OTHERS = {"~*", "&*", "+@all", "-@admin", "+role"};

  private RedisServer redis() {
    return group.self();
  }

  private AccountFiles files() {
    return group.servers().accounts();
  }

  /** Sets what has changed in the files. May be repeated. */
  void follow() {
    var files = files();
    if (files.folder().isEmpty()) {
      remember(false);
    } else {
      var kept = files.kept();
      var known = redis().accounts();
      follow(kept, known);
      files.ofApp().follow(known, redis());
      files.engine().ifPresent(this::answerWith);
      if (files.refuseAnonymous() && isToBeClosed()) {
        remember(true);
        if (isOpen(known)) {
          close(kept);
        }
      }
    }
  }

  private void follow(Map<String, KeptPasswords> kept, Map<String, String> known) {
    kept.forEach((name, passwords) -> passwords.all().forEach(it -> follow(name, it, known)));
  }

  private void follow(String name, Password password, Map<String, String> known) {
    var hash = "#" + password.hash();
    if (known.getOrDefault(name, "").contains(hash)) {
      return;
    }
    if (!name.equals(AccountFiles.ENGINE)) {
      redis().setAccount(name, hash, RIGHTS_OF_OTHERS);
    } else if (!isOpen(known)) {
      redis().setAccount(name, hash);
    }
  }

  /** As whom it replicates from another Redis, which may not have a changed password yet. */
  private void answerWith(Password newest) {
    var settled = group.servers().login(this::isAcceptedByAll).orElse(newest);
    var password = !settled.equals(newest) && isAcceptedByPrimary(newest) ? newest : settled;
    var now = redis().parameters(Set.of("masteruser", "masterauth"));
    if (!password.text().equals(now.get("masterauth"))) {
      redis()
          .setParameters(Map.of("masteruser", AccountFiles.ENGINE, "masterauth", password.text()));
    }
  }

  private boolean isAcceptedByAll(Password password) {
    var present = group.peers().present();
    return !present.isEmpty()
        && present.stream()
            .allMatch(one -> group.servers().accepts(one.address(), password).orElse(false));
  }

  private boolean isAcceptedByPrimary(Password password) {
    var own = redis().replication();
    return own.primary() || group.servers().accepts(own.primaryAddress(), password).orElse(false);
  }

  /**
   * Carries out those parameters that are about accounts, and takes them away.
   *
   * @param parameters of a reload
   * @return those that are in force now
   */
  Map<String, String> reload(Map<String, String> parameters) {
    var own = new HashMap<>(parameters);
    own.keySet().removeIf(name -> !isOwn(name));
    parameters.keySet().removeIf(RedisAccounts::isOwn);
    if (!own.isEmpty()) {
      follow();
    }
    if ("no".equals(own.get(ANONYMOUS))) {
      remember(true);
      close(files().kept());
    } else if (own.containsKey(ANONYMOUS)) {
      remember(false);
      redis().setAccount(AccountFiles.ENGINE, "nopass");
    }
    return own;
  }

  private static boolean isOwn(String parameter) {
    return PARAMETERS.contains(parameter) || parameter.startsWith(AppAccounts.PREFIX);
  }

  /** With all passwords at once: during a rotation others use the next or the previous one. */
  private void close(Map<String, KeptPasswords> kept) {
    var own = kept.get(AccountFiles.ENGINE);
    if (own == null) {
      throw Status.FAILED_PRECONDITION
          .withDescription(
              "Redis %s has no password, so it cannot refuse clients without one: set password and engine-password first"
                  .formatted(redis().address()))
          .asRuntimeException();
    }
    var hashes = own.all().stream().map(it -> "#" + it.hash()).toList();
    redis()
        .setAccount(
            AccountFiles.ENGINE, hashes.getFirst(), hashes.stream().skip(1).toArray(String[]::new));
  }

  /**
   * Takes a step of a rotation.
   *
   * @return what is missing for it; empty when it is done
   */
  Optional<String> rotate(PasswordRotation rotation) {
    var kept = files().kept();
    var missing = rotation.missing(kept, ACCOUNTS);
    if (missing.isPresent()) {
      return missing;
    }
    follow();
    return switch (rotation.step()) {
      case ACCEPT -> notAccepted(kept);
      case USE -> notUsed();
      case RETIRE -> retire(kept);
    };
  }

  private Optional<String> notAccepted(Map<String, KeptPasswords> kept) {
    var address = redis().address();
    return kept.entrySet().stream()
        .filter(
            account ->
                !account.getValue().all().stream()
                    .allMatch(
                        it -> group.servers().accepts(address, account.getKey(), it).orElse(false)))
        .findFirst()
        .map(
            account ->
                "Redis %s does not accept all passwords of account %s"
                    .formatted(address, account.getKey()));
  }

  private Optional<String> notUsed() {
    var now = redis().parameters(Set.of("masterauth")).get("masterauth");
    return files().engine().filter(it -> !it.text().equals(now)).isPresent()
        ? Optional.of("Redis %s would replicate with another password".formatted(redis().address()))
        : Optional.empty();
  }

  /** An account without a password has none to take away. */
  private Optional<String> retire(Map<String, KeptPasswords> kept) {
    var known = redis().accounts();
    kept.forEach(
        (name, passwords) -> {
          var stay = passwords.all().stream().map(it -> "#" + it.hash()).toList();
          var go =
              Arrays.stream(known.getOrDefault(name, "").split(" "))
                  .filter(it -> it.startsWith("#") && !stay.contains(it))
                  .map(it -> "!" + it.substring(1))
                  .toArray(String[]::new);
          if (go.length > 0) {
            redis().setAccount(name, "on", go);
          }
        });
    return notAccepted(kept);
  }

  private static boolean isOpen(Map<String, String> known) {
    return known.getOrDefault(AccountFiles.ENGINE, "").contains(" nopass ");
  }

  private boolean isToBeClosed() {
    return notes().anyMatch(Files::exists);
  }

  private Stream<Path> notes() {
    return Stream.of(data, files().memory())
        .flatMap(Optional::stream)
        .map(it -> it.resolve(CLOSED));
  }

  private void remember(boolean closed) {
    notes().forEach(note -> remember(note, closed));
  }

  private static void remember(Path note, boolean closed) {
    try {
      if (!closed) {
        Files.deleteIfExists(note);
      } else {
        Files.write(note, new byte[0]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("remember whether clients need a password in " + note, e);
    }
  }
}
