package io.middleware.engine.render;

import io.middleware.engine.render.expression.SourcePosition;
import io.middleware.engine.render.guard.ObjectPath;
import java.util.ArrayList;
import java.util.List;

/** Collects the errors of one template, so that all are reported at once. */
final class TemplateErrors {
  private final String template;
  private final List<TemplateError> errors = new ArrayList<>();

  TemplateErrors(String template) {
    this.template = template;
  }

  void add(ObjectPath path, SourcePosition position, String message) {
    errors.add(new TemplateError(template, path.toString(), position, message));
  }

  void throwIfAny() {
    if (!errors.isEmpty()) {
      throw new TemplateException(errors);
    }
  }
}
