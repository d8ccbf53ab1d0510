package io.middleware.engine.process;

import static java.util.stream.Collectors.joining;

import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.common.SearchAttributeKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Whether the Temporal namespace has the search attributes of our workflows. Without them Temporal
 * refuses to start a workflow. A good answer is kept for a moment. Where Temporal does not answer,
 * or the account may not ask, nothing is known: the check of the connection says what is wrong with
 * it, and without that right the process works all the same.
 */
final class SearchAttributesCheck {
  private static final Duration KEPT = Duration.ofSeconds(15);

  private final Supplier<Map<String, IndexedValueType>> search;
  private final String namespace;
  private final List<SearchAttributeKey<?>> required;
  private final LongSupplier nanoTime;
  private volatile long goodUntil;

  /**
   * @param search the search attributes of the namespace; may fail with a {@link
   *     StatusRuntimeException}
   */
  SearchAttributesCheck(
      Supplier<Map<String, IndexedValueType>> search,
      String namespace,
      Collection<SearchAttributeKey<?>> required,
      LongSupplier nanoTime) {
    this.search = search;
    this.namespace = namespace;
    this.required = List.copyOf(required);
    this.nanoTime = nanoTime;
    this.goodUntil = nanoTime.getAsLong();
  }

  Health look() {
    if (nanoTime.getAsLong() - goodUntil < 0) {
      return new Health.Good();
    }
    try {
      var problem = missing();
      if (problem.isEmpty()) {
        goodUntil = nanoTime.getAsLong() + KEPT.toNanos();
      }
      return Health.of(problem);
    } catch (StatusRuntimeException e) {
      return new Health.Unknown(
          "Temporal does not say which search attributes namespace %s has: %s"
              .formatted(namespace, e.getStatus().getCode()));
    }
  }

  private Optional<String> missing() {
    var present = search.get();
    var missing =
        required.stream()
            .filter(key -> present.get(key.getName()) != key.getValueType())
            .map(SearchAttributesCheck::name)
            .sorted()
            .collect(joining(", "));
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "namespace %s lacks %s: run temporal-config/bootstrap".formatted(namespace, missing));
  }

  /** For example {@code MiddlewareApp (KEYWORD)}. */
  private static String name(SearchAttributeKey<?> key) {
    return "%s (%s)"
        .formatted(key.getName(), key.getValueType().name().replace("INDEXED_VALUE_TYPE_", ""));
  }
}
