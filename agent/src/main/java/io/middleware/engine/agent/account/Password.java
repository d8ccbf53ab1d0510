package io.middleware.engine.agent.account;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.IntStream;

/** A password, which no log shows. */
public record Password(String text) {
  /** Its SHA-256, by which Redis takes it without being told it. */
  public String hash() {
    return sha256(text);
  }

  private static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** By which the engine says which password it means, without telling it. */
  String digest(String salt) {
    return sha256(salt + '\0' + text + '\0');
  }

  /** In Redis' own notation, whatever characters it has. */
  public String quoted() {
    var bytes = text.getBytes(UTF_8);
    return IntStream.range(0, bytes.length)
        .mapToObj(at -> "\\x%02x".formatted(bytes[at]))
        .collect(joining("", "\"", "\""));
  }

  @Override
  public String toString() {
    return "(not shown)";
  }
}
