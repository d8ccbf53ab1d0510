package io.middleware.engine.process.settings;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** One setting: its path in the file and the declaration of its record component. */
record SettingKey(String path, Setting declared, ValueType type) {

  static List<SettingKey> of(Class<? extends Record> settings) {
    return under("", settings).toList();
  }

  private static Stream<SettingKey> under(String prefix, Class<?> section) {
    return Arrays.stream(section.getRecordComponents())
        .flatMap(component -> under(prefix + component.getName(), component));
  }

  private static Stream<SettingKey> under(String path, RecordComponent component) {
    return isSection(component)
        ? under(path + ".", component.getType())
        : Stream.of(
            new SettingKey(path, component.getAnnotation(Setting.class), ValueType.of(component)));
  }

  static boolean isSection(RecordComponent component) {
    return component.getType().isRecord() && component.getType() != ListenAddress.class;
  }

  /** {@code watcher.httpAddress} → {@code ENGINE_WATCHER_HTTP_ADDRESS}. */
  String variable() {
    return "ENGINE_" + separated('_').toUpperCase(Locale.ROOT);
  }

  /** {@code watcher.httpAddress} → {@code --watcher-http-address}. */
  String option() {
    return "--" + separated('-').toLowerCase(Locale.ROOT);
  }

  private String separated(char separator) {
    return path.replaceAll("(?<=[a-z])(?=[A-Z])", String.valueOf(separator))
        .replace('.', separator);
  }

  SourcedValue fallback() {
    return new SourcedValue.UntypedValue(declared.fallback(), "default");
  }
}
