package io.middleware.engine.agent.command;

import static java.util.Locale.ROOT;

import io.grpc.Status;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The parameters of an action as environment variables: {@code max-age} is {@code PARAM_MAX_AGE}.
 */
final class ParameterVariables {
  private static final String PREFIX = "PARAM_";

  private ParameterVariables() {}

  static Map<String, String> of(Map<String, String> parameters) {
    var variables = new HashMap<String, String>();
    new TreeMap<>(parameters)
        .forEach(
            (name, value) -> {
              var variable = PREFIX + name.toUpperCase(ROOT).replaceAll("[^A-Z0-9]", "_");
              if (value.indexOf('\0') >= 0 || variables.put(variable, value) != null) {
                throw Status.FAILED_PRECONDITION
                    .withDescription(
                        "parameter %s cannot be passed as the variable %s: another one has this variable, or its value contains a zero byte"
                            .formatted(name, variable))
                    .asRuntimeException();
              }
            });
    return variables;
  }
}
