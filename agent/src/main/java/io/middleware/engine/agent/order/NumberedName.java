package io.middleware.engine.agent.order;

import java.util.Comparator;

/** A name such as {@code shard-10}, ordered by stem, then by number: 9 precedes 10. */
public record NumberedName(String stem, long number) implements Comparable<NumberedName> {
  private static final Comparator<NumberedName> ORDER =
      Comparator.comparing(NumberedName::stem).thenComparingLong(NumberedName::number);
  private static final int MAX_DIGITS = 18;
  private static final long NO_NUMBER = -1;

  public static NumberedName of(String name) {
    var dash = name.lastIndexOf('-');
    var digits = name.substring(dash + 1);
    var numbered =
        dash >= 0
            && !digits.isEmpty()
            && digits.length() <= MAX_DIGITS
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return numbered
        ? new NumberedName(name.substring(0, dash), Long.parseLong(digits))
        : new NumberedName(name, NO_NUMBER);
  }

  @Override
  public int compareTo(NumberedName other) {
    return ORDER.compare(this, other);
  }
}
