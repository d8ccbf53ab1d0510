package io.middleware.engine.agent.driver;

/**
 * A parameter that is a Secret, and that has another value in the files of the pod than the engine
 * means.
 *
 * @param found the digest of the value in the files, by the salt of the question; empty when there
 *     is none
 */
public record OutdatedSecret(String parameter, String found) {

  /** Whether the files have had another value of the same parameter before. */
  public boolean replaces(OutdatedSecret before) {
    return parameter.equals(before.parameter) && !found.equals(before.found);
  }
}
