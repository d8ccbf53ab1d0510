package io.middleware.engine.activities.plan;

/** Paths of App fields for messages; list items appear by name. */
final class FieldPaths {
  private FieldPaths() {}

  static String component(String component) {
    return "spec.components[" + component + "]";
  }

  static String group(String component, String group) {
    return component(component) + ".groups[" + group + "]";
  }
}
