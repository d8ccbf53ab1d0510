package io.middleware.engine.activities.render;

import static java.util.Objects.requireNonNull;

/**
 * One thing wrong with a template.
 *
 * @param path where in the object, for example {@code spec.template.spec.containers[0].image}
 * @param place of a template given as text, the place in that text; of a structured one, the place
 *     inside the scalar at {@code path}
 */
public record TemplateError(String template, String path, SourcePosition place, String message) {

  public TemplateError {
    requireNonNull(template, "template");
    requireNonNull(path, "path");
    requireNonNull(place, "place");
    requireNonNull(message, "message");
  }

  @Override
  public String toString() {
    return template + ": " + path + " (" + place + "): " + message;
  }
}
