package io.middleware.engine.agent.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** The checksum of parameters that the protocol defines. */
final class ParameterChecksum {
  private ParameterChecksum() {}

  static String of(Map<String, String> parameters) {
    var lines = new StringBuilder();
    new TreeMap<>(parameters)
        .forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(digest.digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
