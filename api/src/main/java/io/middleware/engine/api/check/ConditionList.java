package io.middleware.engine.api.check;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/** Conditions of which all must hold, or one. */
public interface ConditionList<T> {
  List<T> allOf();

  List<T> anyOf();

  /** Whether all conditions must hold, and not one of them. */
  @JsonIgnore
  default boolean isOfAll() {
    return allOf() != null;
  }

  /** Those of {@code allOf} or {@code anyOf}. */
  default List<T> conditions() {
    var given = allOf() == null ? anyOf() : allOf();
    return given == null ? List.of() : given;
  }
}
