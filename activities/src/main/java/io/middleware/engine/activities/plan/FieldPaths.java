package io.middleware.engine.activities.plan;

/** How messages name the fields of an App: list items by their name. */
final class FieldPaths {
  private FieldPaths() {}

  static String component(String component) {
    return "spec.components[" + component + "]";
  }

  static String group(String component, String group) {
    return component(component) + ".groups[" + group + "]";
  }
}
