package io.middleware.engine.activities.testing;

import java.util.Map;

/**
 * An object that a test applies, in the test's namespace.
 *
 * @param place where it is in the test, for example {@code spec.steps[1].apply[0].items[2]}
 * @param tree the object; it has a kind, an API version, a name and a namespace
 */
public record Manifest(String place, Map<String, Object> tree) {

  /** One that only names an object. */
  static Manifest named(String place, String apiVersion, String kind, String name) {
    return new Manifest(
        place, Map.of("apiVersion", apiVersion, "kind", kind, "metadata", Map.of("name", name)));
  }

  public String apiVersion() {
    return String.valueOf(tree.get("apiVersion"));
  }

  public String kind() {
    return String.valueOf(tree.get("kind"));
  }

  public String name() {
    return tree.get("metadata") instanceof Map<?, ?> metadata
        ? String.valueOf(metadata.get("name"))
        : "";
  }

  /** Whether both are of the same object. */
  public boolean isOfSameObject(Manifest other) {
    return apiVersion().equals(other.apiVersion())
        && kind().equals(other.kind())
        && name().equals(other.name());
  }

  /** For example {@code App cache}. */
  @Override
  public String toString() {
    return kind() + " " + name();
  }
}
