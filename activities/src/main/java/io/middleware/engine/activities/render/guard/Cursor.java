package io.middleware.engine.activities.render.guard;

import io.middleware.engine.activities.render.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A place in an object tree, whether something stands there or not.
 *
 * @param value null where nothing stands
 */
record Cursor(Path path, Object value) {

  static Cursor of(Map<String, Object> object) {
    return new Cursor(Path.ROOT, object);
  }

  boolean exists() {
    return value != null;
  }

  Cursor at(String... fields) {
    var cursor = this;
    for (var field : fields) {
      cursor = cursor.field(field);
    }
    return cursor;
  }

  private Cursor field(String name) {
    return new Cursor(path.field(name), value instanceof Map<?, ?> map ? map.get(name) : null);
  }

  Stream<Cursor> fields() {
    return value instanceof Map<?, ?> map
        ? map.keySet().stream().map(key -> field((String) key))
        : Stream.empty();
  }

  Stream<Cursor> items() {
    return value instanceof List<?> list
        ? IntStream.range(0, list.size()).mapToObj(i -> new Cursor(path.item(i), list.get(i)))
        : Stream.empty();
  }

  /** This place and every one below it. */
  Stream<Cursor> everywhere() {
    return Stream.concat(
        Stream.of(this), Stream.concat(fields(), items()).flatMap(Cursor::everywhere));
  }

  boolean has(String field) {
    return field(field).exists();
  }

  /** The text that stands here, else the empty one. */
  String text() {
    return value instanceof String text ? text : "";
  }
}
