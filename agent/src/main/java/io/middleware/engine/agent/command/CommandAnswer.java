package io.middleware.engine.agent.command;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * What a file of the folder has answered.
 *
 * @param name of the file
 * @param exitCode 0: it is done; see {@link #REFUSED} and {@link #NOT_NOW}
 * @param output what it printed for the agent
 * @param words the last line that it printed for people
 * @param timedOut whether it was killed because its time was over
 */
record CommandAnswer(String name, int exitCode, String output, String words, boolean timedOut) {
  /** The exit code that says: the middleware refuses, do not ask again. */
  static final int REFUSED = 2;

  /** The exit code that says: the question has no answer in this state. */
  static final int NOT_NOW = 3;

  boolean succeeded() {
    return exitCode == 0 && !timedOut;
  }

  /** The last line for people, or that there is none. */
  String why() {
    return words.isEmpty() ? "it printed no reason" : words;
  }

  /** The output of a success; the status of a failure. */
  String outputOrThrow() {
    if (succeeded()) {
      return output;
    }
    throw failure(exitCode == REFUSED ? Status.FAILED_PRECONDITION : Status.UNAVAILABLE);
  }

  StatusRuntimeException failure(Status status) {
    var how = timedOut ? "took too long and was killed" : "ended with exit code " + exitCode;
    return status
        .withDescription(
            exitCode == REFUSED && !timedOut
                ? "%s: %s".formatted(name, why())
                : "%s %s: %s".formatted(name, how, why()))
        .asRuntimeException();
  }

  /** What it printed cannot be used. */
  StatusRuntimeException unusable(Status status, String expected) {
    return status
        .withDescription(
            "%s printed '%s', but must print %s".formatted(name, shortened(output), expected))
        .asRuntimeException();
  }

  private static String shortened(String text) {
    var line = text.strip().replace('\n', ' ');
    return line.length() > 60 ? line.substring(0, 60) + "…" : line;
  }
}
