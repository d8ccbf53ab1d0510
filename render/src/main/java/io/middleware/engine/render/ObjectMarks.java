package io.middleware.engine.render;

import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Annotations by which the engine says what its own objects are. They are added behind the guard,
 * so no template can set them.
 *
 * @param marks annotations by the name of the object
 */
record ObjectMarks(ObjectKind kind, Map<String, Map<String, String>> marks) {

  /** The same objects; those that have marks have no other annotations. */
  RenderedObjects on(RenderedObjects objects) {
    return marks.isEmpty()
        ? objects
        : new RenderedObjects(objects.inOrder().stream().map(this::on).toList());
  }

  private RenderedObject on(RenderedObject object) {
    return Optional.ofNullable(marks.get(object.name()))
        .filter(found -> object.kind().equals(kind))
        .map(found -> new RenderedObject(object.kind(), object.name(), marked(object, found)))
        .orElse(object);
  }

  private static Map<String, Object> marked(RenderedObject object, Map<String, String> found) {
    Map<String, Object> metadata = new HashMap<>();
    if (object.tree().get("metadata") instanceof Map<?, ?> before) {
      before.forEach((name, value) -> metadata.put(String.valueOf(name), value));
    }
    metadata.put("annotations", found);
    Map<String, Object> tree = new HashMap<>(object.tree());
    tree.put("metadata", metadata);
    return tree;
  }
}
