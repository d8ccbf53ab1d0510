package io.middleware.engine.process.settings;

import io.middleware.engine.process.settings.SourcedValue.ScalarValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads the YAML file: each value by its path, with its line. */
final class SettingsFile {
  private final String name;
  private final List<String> problems;

  /** The keys allowed in each section, by the section's path; the root is the empty path. */
  private final Map<String, Set<String>> sections = new HashMap<>();

  private final Set<String> seen = new HashSet<>();
  private final Map<String, SourcedValue> values = new HashMap<>();

  private SettingsFile(String name, List<SettingKey> keys, List<String> problems) {
    this.name = name;
    this.problems = problems;
    keys.forEach(key -> declare(key.path()));
  }

  static Map<String, SourcedValue> read(Path path, List<SettingKey> keys, List<String> problems) {
    var file = new SettingsFile(path.toString(), keys, problems);
    try {
      file.compose(Files.readString(path)).ifPresent(root -> file.section("", root));
    } catch (NoSuchFileException e) {
      problems.add(path + ": file not found");
    } catch (IOException e) {
      problems.add(path + ": cannot be read: " + e.getMessage());
    }
    return file.values;
  }

  /** Adds the key to its section, and the section to its parent section. */
  private void declare(String path) {
    int dot = path.lastIndexOf('.');
    String section = path.substring(0, Math.max(dot, 0));
    sections.computeIfAbsent(section, none -> new LinkedHashSet<>()).add(path.substring(dot + 1));
    if (dot > 0) {
      declare(section);
    }
  }

  private Optional<Node> compose(String yaml) {
    var lenient = LoadSettings.builder().setLabel(name).setAllowNonScalarKeys(true).build();
    try {
      return new Compose(lenient).composeString(yaml);
    } catch (MarkedYamlEngineException e) {
      problems.add(place(e.getProblemMark()) + ": not valid YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      problems.add(name + ": not valid YAML: " + e.getMessage());
    }
    return Optional.empty();
  }

  private void section(String path, Node node) {
    switch (node) {
      case MappingNode mapping -> mapping.getValue().forEach(entry -> entry(path, entry));
      case ScalarNode scalar when scalar.getTag().equals(Tag.NULL) -> {}
      default ->
          problems.add(
              "%s: %s must be a section with the keys %s"
                  .formatted(place(node), path.isEmpty() ? "the file" : path, names(path)));
    }
  }

  private void entry(String section, NodeTuple entry) {
    String key = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
    String path = section.isEmpty() ? key : section + "." + key;
    if (!sections.get(section).contains(key)) {
      problems.add(
          "%s: unknown key %s, expected one of: %s"
              .formatted(place(entry.getKeyNode()), path, names(section)));
    } else if (!seen.add(path)) {
      problems.add("%s: %s is set twice".formatted(place(entry.getKeyNode()), path));
    } else if (sections.containsKey(path)) {
      section(path, entry.getValueNode());
    } else {
      values.put(path, sourced(entry.getValueNode()));
    }
  }

  private String names(String section) {
    return String.join(", ", sections.get(section));
  }

  private SourcedValue sourced(Node node) {
    return switch (node) {
      case ScalarNode scalar ->
          new ScalarValue(kind(scalar.getTag()), scalar.getValue(), place(node));
      case SequenceNode list ->
          new SourcedValue.SequenceValue(
              list.getValue().stream().map(this::sourced).toList(), place(node));
      default -> new SourcedValue.MappingValue(place(node));
    };
  }

  private static ScalarValue.ScalarKind kind(Tag tag) {
    if (tag.equals(Tag.NULL)) {
      return ScalarValue.ScalarKind.NOTHING;
    } else if (tag.equals(Tag.BOOL)) {
      return ScalarValue.ScalarKind.BOOLEAN;
    }
    return tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)
        ? ScalarValue.ScalarKind.NUMBER
        : ScalarValue.ScalarKind.TEXT;
  }

  private String place(Node node) {
    return place(node.getStartMark());
  }

  private String place(Optional<Mark> mark) {
    return name + mark.map(at -> ":" + (at.getLine() + 1)).orElse("");
  }
}
