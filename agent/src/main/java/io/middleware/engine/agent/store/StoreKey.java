package io.middleware.engine.agent.store;

import io.grpc.Status;
import java.util.regex.Pattern;

/** The key of a backup: names separated by slashes, none of which begins with a dot. */
final class StoreKey {
  private static final Pattern VALID =
      Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");
  private static final int MAX_LENGTH = 512;

  private StoreKey() {}

  /** Refuses what could leave the folder of the store. */
  static String valid(String key) {
    if (key.length() > MAX_LENGTH || !VALID.matcher(key).matches()) {
      throw Status.INVALID_ARGUMENT
          .withDescription(
              "'%s' is not a key of a backup: use letters, digits and ._- in names separated by /"
                  .formatted(key))
          .asRuntimeException();
    }
    return key;
  }
}
