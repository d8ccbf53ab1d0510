package io.middleware.engine.planning.validation;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Resources;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Refuses fractions of a byte: {@code m} means thousandths, so {@code 512m} of memory is half a
 * byte. Kubernetes only warns of them.
 */
final class ResourceRules {
  private static final String CPU = "cpu";

  private ResourceRules() {}

  static List<String> problems(String field, GroupTemplate group) {
    var resources = Objects.requireNonNullElse(group.resources(), new Resources(null, null));
    return Stream.concat(
            problems(field + ".resources.requests", resources.requests()),
            problems(field + ".resources.limits", resources.limits()))
        .toList();
  }

  private static Stream<String> problems(String field, Map<String, Object> amounts) {
    return amounts == null
        ? Stream.empty()
        : amounts.entrySet().stream()
            .filter(amount -> !amount.getKey().equals(CPU) && isFraction(amount.getValue()))
            .map(
                amount ->
                    "%s.%s: %s is a fraction of a byte (m means thousandths): use M or Mi"
                        .formatted(field, amount.getKey(), amount.getValue()))
            .sorted();
  }

  /** What is no quantity is refused by the API server, in its own words. */
  private static boolean isFraction(Object amount) {
    try {
      var bytes = Quantity.parse(String.valueOf(amount)).getNumericalAmount();
      return bytes.remainder(BigDecimal.ONE).signum() != 0;
    } catch (IllegalArgumentException | ArithmeticException e) {
      return false;
    }
  }
}
