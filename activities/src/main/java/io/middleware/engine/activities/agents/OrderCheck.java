package io.middleware.engine.activities.agents;

import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.api.task.FaultKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;

/** Believes no order that is not a permutation of what was asked. */
final class OrderCheck {
  private static final int NAMED = 5;
  private static final int LONGEST_NAME = 80;

  private OrderCheck() {}

  /**
   * @param agent who answered
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID_ORDER naming each lie
   */
  static void permutation(String agent, Collection<String> asked, List<String> answer) {
    var unknown = new LinkedHashSet<>(answer);
    unknown.removeAll(new HashSet<>(asked));
    var missing = new LinkedHashSet<>(asked);
    missing.removeAll(new HashSet<>(answer));
    var seen = new HashSet<String>();
    var twice = new LinkedHashSet<String>();
    answer.stream().filter(name -> !seen.add(name)).forEach(twice::add);
    List<String> lies = new ArrayList<>();
    add(lies, "unknown", unknown);
    add(lies, "missing", missing);
    add(lies, "more than once", twice);
    if (!lies.isEmpty()) {
      throw Faults.of(
          FaultKind.INVALID_ORDER,
          "the agent of pod %s gave an order that is none of the %d names asked: %s"
              .formatted(agent, asked.size(), String.join("; ", lies)));
    }
  }

  private static void add(List<String> lies, String what, Collection<String> names) {
    if (!names.isEmpty()) {
      var shown = names.stream().limit(NAMED).map(OrderCheck::cut).toList();
      var more = names.size() - shown.size();
      lies.add(
          "%s: %s%s"
              .formatted(what, String.join(", ", shown), more > 0 ? " and " + more + " more" : ""));
    }
  }

  private static String cut(String name) {
    var word = name.isEmpty() ? "(empty)" : name;
    return word.length() <= LONGEST_NAME ? word : word.substring(0, LONGEST_NAME) + "…";
  }
}
