package io.middleware.engine.render;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads the trees that tests are made of. */
public final class Trees {
  private Trees() {}

  public static List<Map<String, Object>> all(String yaml) {
    List<Map<String, Object>> trees = new ArrayList<>();
    load().loadAllFromString(yaml).forEach(document -> trees.add(tree(document)));
    return trees;
  }

  public static Map<String, Object> one(String yaml) {
    return tree(load().loadFromString(yaml));
  }

  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Path resources() {
    return Path.of("src", "test", "resources", "render");
  }

  private static Load load() {
    return new Load(LoadSettings.builder().setSchema(new CoreSchema()).build());
  }

  @SuppressWarnings("unchecked") // a YAML mapping with text keys is nothing else
  public static Map<String, Object> tree(Object document) {
    return (Map<String, Object>) document;
  }
}
