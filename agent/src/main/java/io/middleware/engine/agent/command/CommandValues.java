package io.middleware.engine.agent.command;

import io.grpc.Status;
import java.util.Map;
import java.util.TreeMap;

/** Parameters and other values as commands read and print them: lines {@code name=value}. */
final class CommandValues {
  private CommandValues() {}

  /** Sorted by name. */
  static String text(Map<String, String> values) {
    var lines = new StringBuilder();
    new TreeMap<>(values)
        .forEach(
            (name, value) -> {
              if (value.indexOf('\n') >= 0) {
                throw Status.FAILED_PRECONDITION
                    .withDescription(
                        "the value of %s has a line break, which a command cannot be given"
                            .formatted(name))
                    .asRuntimeException();
              }
              lines.append(name).append('=').append(value).append('\n');
            });
    return lines.toString();
  }

  /** Lines of another form are words for people; the last line with a name counts. */
  static Map<String, String> in(String output) {
    var values = new TreeMap<String, String>();
    output
        .lines()
        .filter(line -> line.indexOf('=') > 0)
        .forEach(
            line -> {
              var at = line.indexOf('=');
              values.put(line.substring(0, at), line.substring(at + 1));
            });
    return values;
  }
}
