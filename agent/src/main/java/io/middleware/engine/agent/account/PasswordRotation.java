package io.middleware.engine.agent.account;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.Status;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One step of a rotation of passwords, which the engine asks of each pod until it is done. The
 * engine says by digests which passwords it means, because the files of a pod are older than the
 * Secret for a while.
 *
 * @param digests by parameter, of all its passwords
 */
public record PasswordRotation(Step step, String salt, Map<String, String> digests) {
  /** The name of the action. */
  public static final String ACTION = "rotate-passwords";

  private static final String STEP = "step";
  private static final String SALT = "salt";

  /** Means "not yet": the engine asks again. */
  private static final int NOT_YET = 75;

  /** What is asked of the pod. Each step may be repeated. */
  public enum Step {
    /** To accept all passwords that there are. */
    ACCEPT,
    /** To log in to others with the current password. */
    USE,
    /** To accept no other password any more. */
    RETIRE
  }

  public PasswordRotation {
    digests = Map.copyOf(digests);
  }

  /**
   * Empty for another action.
   *
   * @throws io.grpc.StatusRuntimeException FAILED_PRECONDITION for a step that this agent does not
   *     know
   */
  public static Optional<PasswordRotation> of(ActionRequest request) {
    if (!request.name().equals(ACTION)) {
      return Optional.empty();
    }
    var digests = new TreeMap<>(request.parameters());
    var step = Objects.requireNonNullElse(digests.remove(STEP), "");
    var salt = Objects.requireNonNullElse(digests.remove(SALT), "");
    return Optional.of(new PasswordRotation(step(step), salt, digests));
  }

  private static Step step(String name) {
    return Arrays.stream(Step.values())
        .filter(it -> it.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                Status.FAILED_PRECONDITION
                    .withDescription("this agent knows no step '%s' of a rotation".formatted(name))
                    .asRuntimeException());
  }

  /**
   * Why the pod cannot take the step yet: it does not have the passwords that are meant.
   *
   * @param kept by account
   * @param accounts the account of each parameter
   */
  public Optional<String> missing(Map<String, KeptPasswords> kept, Map<String, String> accounts) {
    return digests.entrySet().stream()
        .filter(
            one ->
                !one.getValue().equals(digest(kept.get(accounts.getOrDefault(one.getKey(), "")))))
        .map(Map.Entry::getKey)
        .sorted()
        .findFirst()
        .map("its files do not have the changed %s yet"::formatted);
  }

  private String digest(@Nullable KeptPasswords kept) {
    return kept == null ? "" : digest(salt, kept.current(), kept.next(), kept.previous());
  }

  /** Of the values of a Secret, as the engine makes it: a value that there is not is empty. */
  @SafeVarargs
  static String digest(String salt, Optional<Password>... passwords) {
    var texts = Arrays.stream(passwords).map(it -> it.map(Password::text).orElse(""));
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      Stream.concat(Stream.of(salt), texts)
          .forEach(
              text -> {
                digest.update(text.getBytes(UTF_8));
                digest.update((byte) 0);
              });
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The answer to the engine. */
  public static ActionOutput answer(Optional<String> missing) {
    return new ActionOutput(missing.isPresent() ? NOT_YET : 0, missing.orElse(""), Map.of());
  }
}
