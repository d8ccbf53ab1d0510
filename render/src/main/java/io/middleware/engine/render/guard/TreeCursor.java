package io.middleware.engine.render.guard;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A path in an object tree and its value, if there is one.
 *
 * @param value null if the tree has no value at the path
 */
record TreeCursor(ObjectPath path, Object value) {

  static TreeCursor of(Map<String, Object> object) {
    return new TreeCursor(ObjectPath.ROOT, object);
  }

  boolean exists() {
    return value != null;
  }

  TreeCursor at(String... fields) {
    var cursor = this;
    for (var field : fields) {
      cursor = cursor.field(field);
    }
    return cursor;
  }

  private TreeCursor field(String name) {
    return new TreeCursor(path.field(name), value instanceof Map<?, ?> map ? map.get(name) : null);
  }

  Stream<TreeCursor> fields() {
    return value instanceof Map<?, ?> map
        ? map.keySet().stream().map(key -> field((String) key))
        : Stream.empty();
  }

  Stream<TreeCursor> items() {
    return value instanceof List<?> list
        ? IntStream.range(0, list.size()).mapToObj(i -> new TreeCursor(path.item(i), list.get(i)))
        : Stream.empty();
  }

  /** This node and all nodes below it. */
  Stream<TreeCursor> everywhere() {
    return Stream.concat(
        Stream.of(this), Stream.concat(fields(), items()).flatMap(TreeCursor::everywhere));
  }

  boolean has(String field) {
    return field(field).exists();
  }

  /** The text at this path; otherwise empty. */
  String text() {
    return value instanceof String text ? text : "";
  }
}
