package io.middleware.engine.planning.app;

/** Paths of App fields for messages; list items appear by name. */
public final class FieldPaths {
  private FieldPaths() {}

  public static String component(String component) {
    return "spec.components[" + component + "]";
  }

  public static String group(String component, String group) {
    return component(component) + ".groups[" + group + "]";
  }
}
