package io.middleware.engine.render;

import static java.util.Objects.requireNonNull;

import io.middleware.engine.render.expression.SourcePosition;

/**
 * One error in a template.
 *
 * @param path the field in the object, for example {@code spec.template.spec.containers[0].image}
 * @param position the position in the text of the template; for a template that is a tree, the
 *     position inside the scalar at {@code path}
 */
public record TemplateError(String template, String path, SourcePosition position, String message) {

  public TemplateError {
    requireNonNull(template, "template");
    requireNonNull(path, "path");
    requireNonNull(position, "position");
    requireNonNull(message, "message");
  }

  @Override
  public String toString() {
    return template + ": " + path + " (" + position + "): " + message;
  }
}
