package io.middleware.engine.process.settings;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a tree of records. Each value comes from the command line, otherwise the environment,
 * otherwise the file, otherwise its declared default. All problems are reported together.
 */
public final class SettingsReader {
  private final List<SettingKey> keys;
  private final List<String> problems = new ArrayList<>();

  private SettingsReader(List<SettingKey> keys) {
    this.keys = keys;
  }

  /**
   * @throws SettingsException naming every unknown key and every value that is not allowed
   */
  public static <T extends Record> T read(Class<T> type, ProcessArguments arguments) {
    return new SettingsReader(SettingKey.of(type)).readAll(type, arguments);
  }

  private <T extends Record> T readAll(Class<T> type, ProcessArguments arguments) {
    var overrides = SettingOverrides.of(arguments, keys, problems);
    Map<String, SourcedValue> file = overrides.file().map(this::file).orElse(Map.of());
    Map<String, Object> values = new HashMap<>();
    for (SettingKey key : keys) {
      accept(key, key.fallback(), values);
      Optional.ofNullable(file.get(key.path())).ifPresent(given -> accept(key, given, values));
      overrides.of(key).forEach(given -> accept(key, given, values));
    }
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return build(type, "", values);
  }

  private Map<String, SourcedValue> file(String file) {
    return SettingsFile.read(Path.of(file), keys, problems);
  }

  /** The last accepted value is used; an overridden value must be valid as well. */
  private void accept(SettingKey key, SourcedValue given, Map<String, Object> values) {
    key.type()
        .read(given)
        .ifPresentOrElse(
            value -> values.put(key.path(), value),
            () ->
                problems.add(
                    "%s: %s is %s, expected %s"
                        .formatted(
                            given.place(), key.path(), given.quoted(), key.type().allowed())));
  }

  private static <T> T build(Class<T> type, String prefix, Map<String, Object> values) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] arguments =
        Arrays.stream(components)
            .map(component -> argument(component, prefix + component.getName(), values))
            .toArray();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<T> canonical = type.getDeclaredConstructor(types);
      return canonical.newInstance(arguments);
    } catch (NoSuchMethodException | InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException(type + " must be a public record", e);
    } catch (InvocationTargetException e) {
      throw new SettingsException(String.valueOf(e.getCause().getMessage()));
    }
  }

  private static Object argument(
      RecordComponent component, String path, Map<String, Object> values) {
    return SettingKey.isSection(component)
        ? build(component.getType(), path + ".", values)
        : values.get(path);
  }
}
