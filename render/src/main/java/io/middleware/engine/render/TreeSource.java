package io.middleware.engine.render;

import io.middleware.engine.render.expression.SourcePosition;
import io.middleware.engine.render.guard.ObjectPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads a template that is a tree of maps, lists and scalars in its Plugin. */
final class TreeSource {
  private static final int MAX_DEPTH = 64;
  private static final SourcePosition START = new SourcePosition(1, 1);

  private final TemplateErrors errors;

  TreeSource(TemplateErrors errors) {
    this.errors = errors;
  }

  ParsedTemplate read(Object tree) {
    return read(tree, ObjectPath.ROOT, 0);
  }

  private ParsedTemplate read(Object tree, ObjectPath path, int depth) {
    if (depth > MAX_DEPTH) {
      errors.add(path, START, "nested deeper than " + MAX_DEPTH + " levels");
      return scalar(null);
    }
    return switch (tree) {
      case Map<?, ?> map -> mapping(map, path, depth);
      case List<?> list -> sequence(list, path, depth);
      case String text -> scalar(text);
      case Number number -> scalar(number);
      case Boolean truth -> scalar(truth);
      case null -> scalar(null);
      default -> {
        errors.add(
            path, START, "is a " + tree.getClass().getSimpleName() + ", which YAML cannot express");
        yield scalar(null);
      }
    };
  }

  private ParsedTemplate mapping(Map<?, ?> map, ObjectPath path, int depth) {
    List<ParsedTemplate.ParsedEntry> entries = new ArrayList<>(map.size());
    map.forEach(
        (key, value) -> {
          var name = String.valueOf(key);
          entries.add(
              new ParsedTemplate.ParsedEntry(
                  scalar(name), read(value, path.field(name), depth + 1)));
        });
    return new ParsedTemplate.ParsedMapping(entries, START);
  }

  private ParsedTemplate sequence(List<?> list, ObjectPath path, int depth) {
    List<ParsedTemplate> items = new ArrayList<>(list.size());
    for (var item : list) {
      items.add(read(item, path.item(items.size()), depth + 1));
    }
    return new ParsedTemplate.ParsedSequence(items, START);
  }

  static ParsedTemplate.ParsedScalar scalar(Object value) {
    return new ParsedTemplate.ParsedScalar(value, offset -> inside(value, offset));
  }

  private static SourcePosition inside(Object value, int offset) {
    var before = String.valueOf(value).codePoints().limit(offset).toArray();
    var line = 1;
    var column = 1;
    for (var codePoint : before) {
      column = codePoint == '\n' ? 1 : column + 1;
      line = codePoint == '\n' ? line + 1 : line;
    }
    return new SourcePosition(line, column);
  }
}
