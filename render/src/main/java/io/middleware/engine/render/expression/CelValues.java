package io.middleware.engine.render.expression;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelUnknownSet;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Converts between plain trees and CEL values. To CEL: maps are sorted by key, because CEL iterates
 * in map order; integers become Long, the only integer type in CEL maps; nulls are omitted, because
 * CEL treats them as unknown. From CEL: only YAML values; null and empty optionals are dropped.
 */
public final class CelValues {
  private static final double EXACT = 1L << 53;

  private CelValues() {}

  /** Converts the fields of an object to CEL values. */
  public static Map<String, Object> fromPlain(Map<?, ?> map) {
    Map<String, Object> sorted = new TreeMap<>();
    map.forEach(
        (key, value) -> {
          if (value != null) {
            sorted.put(String.valueOf(key), fromPlain(value));
          }
        });
    return sorted;
  }

  private static Object fromPlain(Object value) {
    return switch (value) {
      case Map<?, ?> map -> fromPlain(map);
      case List<?> list ->
          list.stream().filter(item -> item != null).map(CelValues::fromPlain).toList();
      case Integer number -> number.longValue();
      case Short number -> number.longValue();
      case BigInteger number -> number.doubleValue();
      case Float number -> number.doubleValue();
      case BigDecimal number -> number.doubleValue();
      case String text -> text;
      case Boolean truth -> truth;
      case Long number -> number;
      case Double number -> number;
      default ->
          throw new IllegalArgumentException(
              "a template cannot take a value of type " + value.getClass().getName());
    };
  }

  /** Converts a result; empty when its key is to be dropped. */
  public static Optional<Object> toPlain(Object result) throws UnusableResultException {
    return switch (result) {
      case null -> Optional.empty();
      case NullValue none -> Optional.empty();
      case Optional<?> optional -> optional.isEmpty() ? Optional.empty() : toPlain(optional.get());
      case String text -> Optional.of(text);
      case Boolean truth -> Optional.of(truth);
      case Long number -> Optional.of(integer(number));
      case Integer number -> Optional.of(number);
      case UnsignedLong number -> Optional.of(unsigned(number));
      case Double number -> Optional.of(number(number));
      case CelByteString bytes ->
          Optional.of(Base64.getEncoder().encodeToString(bytes.toByteArray()));
      case Map<?, ?> map -> Optional.of(mapping(map));
      case List<?> list -> Optional.of(sequence(list));
      case CelUnknownSet unknown ->
          throw new UnusableResultException(
              "the result is unknown: it reads a value that is not set");
      default ->
          throw new UnusableResultException(
              "the result is a "
                  + result.getClass().getSimpleName()
                  + ", which YAML cannot express; string(…) converts it to a string");
    };
  }

  /** Converts a result to text for use inside a longer text. */
  public static String toText(Object result) throws UnusableResultException {
    return switch (toPlain(result).orElse(null)) {
      case null ->
          throw new UnusableResultException(
              "there is no value to insert into the text; use .orValue(…)");
      case Map<?, ?> map ->
          throw new UnusableResultException("a map cannot be part of a longer text");
      case List<?> list ->
          throw new UnusableResultException("a list cannot be part of a longer text; use .join(…)");
      case Object scalar -> scalar.toString();
    };
  }

  /** Integer if the number fits, as YAML and JSON readers return it. */
  static Number integer(long number) {
    if (number == (int) number) {
      return (int) number;
    }
    return number;
  }

  private static Number unsigned(UnsignedLong number) throws UnusableResultException {
    if (number.longValue() < 0) {
      throw new UnusableResultException(number + "u is too large for YAML");
    }
    return integer(number.longValue());
  }

  private static Number number(double number) throws UnusableResultException {
    if (!Double.isFinite(number)) {
      throw new UnusableResultException("the result is " + number + ", which YAML cannot express");
    }
    if (number == Math.rint(number) && Math.abs(number) <= EXACT) {
      return integer((long) number);
    }
    return number;
  }

  private static Map<String, Object> mapping(Map<?, ?> map) throws UnusableResultException {
    Map<String, Object> plain = new LinkedHashMap<>();
    for (var entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw new UnusableResultException("the key " + entry.getKey() + " is not a string");
      }
      toPlain(entry.getValue()).ifPresent(value -> plain.put(key, value));
    }
    return plain;
  }

  private static List<Object> sequence(List<?> list) throws UnusableResultException {
    List<Object> plain = new ArrayList<>(list.size());
    for (var item : list) {
      toPlain(item).ifPresent(plain::add);
    }
    return plain;
  }
}
