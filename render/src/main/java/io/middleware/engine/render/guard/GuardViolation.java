package io.middleware.engine.render.guard;

/**
 * One violation of a guard rule.
 *
 * @param object kind and name, for example {@code Service/redis}
 * @param message what is wrong and what is allowed
 */
public record GuardViolation(String object, String path, String message) {

  @Override
  public String toString() {
    return object + ": " + path + ": " + message;
  }
}
