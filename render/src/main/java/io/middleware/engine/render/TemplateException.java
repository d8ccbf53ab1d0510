package io.middleware.engine.render;

import static java.util.stream.Collectors.joining;

import java.util.List;

/** A template does not compile, or cannot be rendered with these values; lists every error. */
public final class TemplateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<TemplateError> errors;

  TemplateException(List<TemplateError> errors) {
    super(errors.stream().map(TemplateError::toString).collect(joining("\n")));
    this.errors = List.copyOf(errors);
  }

  public List<TemplateError> errors() {
    return errors;
  }
}
