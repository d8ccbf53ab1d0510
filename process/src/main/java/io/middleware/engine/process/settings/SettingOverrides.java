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

/** What the environment and the command line say; the command line is the stronger. */
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
      ProcessArguments started, List<SettingKey> keys, List<String> problems) {
    var overrides = new SettingOverrides(problems);
    overrides.environment(started.environment(), by(SettingKey::variable, keys));
    overrides.commandLine(started.arguments(), by(SettingKey::option, keys));
    return overrides;
  }

  /** All that was given for a setting, the strongest last. */
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
    var left = new ArrayDeque<>(arguments);
    while (!left.isEmpty()) {
      String[] option = left.pop().split("=", 2);
      String value = option.length == 2 ? option[1] : left.poll();
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
      problems.add(name + ": there is no such setting" + near(name, paths));
    } else {
      values
          .computeIfAbsent(path, none -> new ArrayList<>())
          .add(new SourcedValue.Untyped(value.strip(), name));
    }
  }

  /** A known name that differs from it in separators or case only. */
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
