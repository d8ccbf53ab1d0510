package io.middleware.engine.process.settings;

import io.middleware.engine.process.EngineSettings;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page that describes every setting, made from what the records declare. */
final class SettingsReference {
  private static final String HEAD =
      """
      # Settings

      <!-- generated from EngineSettings by SettingsReferenceTest; do not edit -->

      Both processes read one YAML file, named by `--config FILE` or `ENGINE_CONFIG`; without a file
      the defaults apply. An environment variable overrides a key of the file
      (`tasks.maxRetries` → `ENGINE_TASKS_MAX_RETRIES`, lists separated by commas), and an option
      overrides the variable (`--tasks-max-retries 5`). The process does not start when a key,
      variable or option is unknown or a value is not valid; the message names file, line, key, value
      and what is expected. Durations are written `30s`, `5m`, `1h30m`, `500ms`.

      In a pod set `enableServiceLinks: false`: for a Service whose name begins with `engine` the
      kubelet would otherwise set `ENGINE_…` variables that are not settings.

      ```yaml
      tasks:
        maxRetries: 5
        timeout: 10m
      namespaces: [shop, billing]
      ```
      """;

  private SettingsReference() {}

  static String page() {
    List<RecordComponent> all = List.of(EngineSettings.class.getRecordComponents());
    String top = table("", all.stream().filter(component -> !SettingKey.isSection(component)));
    return all.stream()
        .filter(SettingKey::isSection)
        .map(SettingsReference::section)
        .collect(Collectors.joining("", HEAD + "\n" + top, ""));
  }

  private static String section(RecordComponent section) {
    return "\n## %s\n\n%s\n\n%s"
        .formatted(
            section.getName(),
            section.getAnnotation(Setting.class).value(),
            table(section.getName() + ".", Arrays.stream(section.getType().getRecordComponents())));
  }

  private static String table(String prefix, Stream<RecordComponent> components) {
    return components
        .map(component -> row(prefix, component))
        .collect(
            Collectors.joining(
                "",
                "| key | default | meaning | allowed | variable |\n|---|---|---|---|---|\n",
                ""));
  }

  private static String row(String prefix, RecordComponent component) {
    Setting setting = component.getAnnotation(Setting.class);
    var key = new SettingKey(prefix + component.getName(), setting, ValueType.of(component));
    String fallback = component.getType() == List.class ? "[]" : "\"\"";
    return "| `%s` | `%s` | %s | %s | `%s` |\n"
        .formatted(
            key.path(),
            setting.fallback().isEmpty() ? fallback : setting.fallback(),
            setting.value(),
            key.type().allowed(),
            key.variable());
  }
}
