package io.middleware.engine.process.settings;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The values from the environment and the command line; the command line takes precedence. */
final class SettingOverrides {
  private static final String FILE_VARIABLE = "ENGINE_CONFIG";
  private static final String FILE_OPTION = "--config";

  private final List<String> problems;
  private final Map<String, List<SourcedValue>> values = new HashMap<>();
  private Optional<String> file = Optional.empty();

  private SettingOverrides(List<String> problems) {
    this.problems = problems;
  }

  static SettingOverrides of(
      ProcessArguments arguments, List<SettingKey> keys, List<String> problems) {
    var overrides = new SettingOverrides(problems);
    overrides.environment(arguments.environment(), by(SettingKey::variable, keys));
    overrides.commandLine(arguments.arguments(), by(SettingKey::option, keys));
    return overrides;
  }

  /** All values of a setting; the last one takes precedence. */
  List<SourcedValue> of(SettingKey key) {
    return values.getOrDefault(key.path(), List.of());
  }

  Optional<String> file() {
    return file;
  }

  private static Map<String, String> by(Function<SettingKey, String> name, List<SettingKey> keys) {
    return keys.stream().collect(Collectors.toMap(name, SettingKey::path));
  }

  private void environment(Map<String, String> environment, Map<String, String> paths) {
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              if (name.equals(FILE_VARIABLE)) {
                file = Optional.of(value);
              } else if (name.startsWith("ENGINE_")) {
                put(name, value, paths);
              }
            });
  }

  private void commandLine(List<String> arguments, Map<String, String> paths) {
    var remaining = new ArrayDeque<>(arguments);
    while (!remaining.isEmpty()) {
      String[] option = remaining.pop().split("=", 2);
      String value = option.length == 2 ? option[1] : remaining.poll();
      if (value == null) {
        problems.add(option[0] + ": needs a value");
      } else if (option[0].equals(FILE_OPTION)) {
        file = Optional.of(value);
      } else {
        put(option[0], value, paths);
      }
    }
  }

  private void put(String name, String value, Map<String, String> paths) {
    String path = paths.get(name);
    if (path == null) {
      problems.add(name + ": unknown setting" + near(name, paths));
    } else {
      values
          .computeIfAbsent(path, none -> new ArrayList<>())
          .add(new SourcedValue.UntypedValue(value.strip(), name));
    }
  }

  /** A known name that differs only in separators or case. */
  private static String near(String name, Map<String, String> paths) {
    return paths.keySet().stream()
        .filter(known -> letters(known).equalsIgnoreCase(letters(name)))
        .findFirst()
        .map(known -> ", did you mean " + known + "?")
        .orElse("");
  }

  private static String letters(String name) {
    return name.replaceAll("[-_]", "");
  }
}
