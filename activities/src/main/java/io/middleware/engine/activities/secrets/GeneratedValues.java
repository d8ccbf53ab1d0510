package io.middleware.engine.activities.secrets;

import io.middleware.engine.api.App;
import io.middleware.engine.api.GeneratedSecrets;
import io.middleware.engine.planning.app.SecretParameters;
import java.security.SecureRandom;

/** Makes values for the parameters of a component that an App wants generated. */
public record GeneratedValues(App app, String component) {
  /** Letters and digits alone need no quotes in any configuration file, shell or address. */
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  /** Of a value that the App does not ask for any more. */
  private static final int LENGTH = 32;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** A value of the length that the App asks for. */
  public String make(String key) {
    var spec = app.specToDeploy();
    var name = GeneratedSecrets.ofParameters(app.getMetadata().getName(), component);
    return random(
        new SecretParameters(app.getMetadata().getName(), spec, wanted -> "")
            .generated()
            .filter(wanted -> wanted.name().equals(name) && wanted.key().equals(key))
            .findFirst()
            .map(wanted -> wanted.length().orElse(LENGTH))
            .orElse(LENGTH));
  }

  /** Letters and digits. */
  public static String random(int length) {
    return RANDOM
        .ints(length, 0, ALPHABET.length())
        .collect(
            StringBuilder::new,
            (text, at) -> text.append(ALPHABET.charAt(at)),
            StringBuilder::append)
        .toString();
  }
}
