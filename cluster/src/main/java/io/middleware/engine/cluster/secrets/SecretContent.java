package io.middleware.engine.cluster.secrets;

/** What there is under a key of a Secret. */
public sealed interface SecretContent {

  /**
   * There is a value.
   *
   * @param version another one for each value that was written; says nothing about it
   */
  record Found(String version) implements SecretContent {}

  /**
   * There is none.
   *
   * @param problem which Secret lacks what, and what to do
   */
  record Missing(String problem) implements SecretContent {}
}
