package io.middleware.engine.cluster.agents;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.Faults;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;

/** Accepts an agent's order only if it is a permutation of the names in the request. */
final class OrderCheck {
  private static final int MAX_NAMES = 5;
  private static final int MAX_NAME_LENGTH = 80;

  private OrderCheck() {}

  /**
   * @param pod whose agent answered
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID_ORDER, which names the errors
   */
  static void requirePermutation(String pod, Collection<String> requested, List<String> answer) {
    var unknown = new LinkedHashSet<>(answer);
    unknown.removeAll(new HashSet<>(requested));
    var missing = new LinkedHashSet<>(requested);
    missing.removeAll(new HashSet<>(answer));
    var seen = new HashSet<String>();
    var twice = new LinkedHashSet<String>();
    answer.stream().filter(name -> !seen.add(name)).forEach(twice::add);
    List<String> errors = new ArrayList<>();
    add(errors, "unknown", unknown);
    add(errors, "missing", missing);
    add(errors, "more than once", twice);
    if (!errors.isEmpty()) {
      throw Faults.of(
          FaultKind.INVALID_ORDER,
          "the agent of pod %s returned an order that does not list each of the %d requested names once: %s"
              .formatted(pod, requested.size(), String.join("; ", errors)));
    }
  }

  private static void add(List<String> errors, String what, Collection<String> names) {
    if (!names.isEmpty()) {
      var shown = names.stream().limit(MAX_NAMES).map(OrderCheck::shorten).toList();
      var more = names.size() - shown.size();
      errors.add(
          "%s: %s%s"
              .formatted(what, String.join(", ", shown), more > 0 ? " and " + more + " more" : ""));
    }
  }

  private static String shorten(String name) {
    return name.isEmpty() ? "(empty)" : PlainText.clean(name, MAX_NAME_LENGTH);
  }
}
