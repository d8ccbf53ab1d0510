package io.middleware.engine.planning.app;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.api.Resources;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Compares values by meaning, not by notation. */
public final class SpecEquality {
  private SpecEquality() {}

  /** Compares plain trees: numbers by value; an empty map or list equals null. */
  public static boolean same(Object one, Object other) {
    if (isNothing(one) || isNothing(other)) {
      return isNothing(one) && isNothing(other);
    }
    if (one instanceof Number && other instanceof Number) {
      return number(one).compareTo(number(other)) == 0;
    }
    if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> otherMap) {
      return keys(map, otherMap).stream().allMatch(key -> same(map.get(key), otherMap.get(key)));
    }
    if (one instanceof List<?> list && other instanceof List<?> otherList) {
      return same(list, otherList);
    }
    return one.equals(other);
  }

  /** Compares resources by quantity: {@code 1000m} is {@code 1}. */
  public static boolean same(Resources one, Resources other) {
    return sameQuantities(
            one == null ? null : one.requests(), other == null ? null : other.requests())
        && sameQuantities(one == null ? null : one.limits(), other == null ? null : other.limits());
  }

  private static boolean same(List<?> one, List<?> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (!same(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameQuantities(Map<String, Object> one, Map<String, Object> other) {
    Map<String, Object> left = one == null ? Map.of() : one;
    Map<String, Object> right = other == null ? Map.of() : other;
    return keys(left, right).stream().allMatch(key -> sameQuantity(left.get(key), right.get(key)));
  }

  private static boolean sameQuantity(Object one, Object other) {
    if (one == null || other == null) {
      return Objects.equals(one, other);
    }
    return one.toString().equals(other.toString())
        || Quantity.parse(one.toString()).equals(Quantity.parse(other.toString()));
  }

  private static boolean isNothing(Object value) {
    return value == null
        || value instanceof Map<?, ?> map && map.isEmpty()
        || value instanceof List<?> list && list.isEmpty();
  }

  private static BigDecimal number(Object value) {
    return new BigDecimal(value.toString());
  }

  private static Set<Object> keys(Map<?, ?> one, Map<?, ?> other) {
    Set<Object> keys = new HashSet<>(one.keySet());
    keys.addAll(other.keySet());
    return keys;
  }
}
