package io.middleware.engine.agent.driver;

import java.util.Map;

/**
 * How an action of the Plugin ended.
 *
 * @param exitCode 0: success; 128 + n: ended by signal n
 * @param output the end of what it printed; more than the protocol allows is cut
 * @param values what it found out, for people and programs; at most 4 KiB together
 * @param timedOut whether it was terminated because of its timeout
 */
public record ActionOutput(
    int exitCode, String output, Map<String, String> values, boolean timedOut) {
  public ActionOutput {
    values = Map.copyOf(values);
  }

  /** Of an action that ended by itself. */
  public ActionOutput(int exitCode, String output, Map<String, String> values) {
    this(exitCode, output, values, false);
  }
}
