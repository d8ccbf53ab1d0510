package io.middleware.engine.render.guard;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/** An object that may be written. */
public record RenderedObject(ObjectKind kind, String name, Map<String, Object> tree) {

  public RenderedObject {
    requireNonNull(kind, "kind");
    requireNonNull(name, "name");
    requireNonNull(tree, "tree");
  }
}
