package io.middleware.engine.render.guard;

import static java.util.Objects.requireNonNull;

/** For example {@code apps/v1 StatefulSet}. */
public record ObjectKind(String apiVersion, String kind) {

  public ObjectKind {
    requireNonNull(apiVersion, "apiVersion");
    requireNonNull(kind, "kind");
  }

  /** The API group; empty for the core one. */
  public String group() {
    var slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  @Override
  public String toString() {
    return apiVersion + " " + kind;
  }
}
