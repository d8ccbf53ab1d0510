package io.middleware.engine.cluster;

import java.util.Comparator;
import java.util.regex.Pattern;

/** Sorts names by their number: {@code db-2} before {@code db-10}. */
public final class NaturalOrder {
  private static final Pattern ORDINAL = Pattern.compile("^(.*?)(\\d{1,18})$");

  public static final Comparator<String> OF_NAMES =
      Comparator.comparing(NaturalOrder::stem)
          .thenComparingLong(NaturalOrder::ordinal)
          .thenComparing(Comparator.naturalOrder());

  private NaturalOrder() {}

  private static String stem(String name) {
    var parts = ORDINAL.matcher(name);
    return parts.matches() ? parts.group(1) : name;
  }

  private static long ordinal(String name) {
    var parts = ORDINAL.matcher(name);
    return parts.matches() ? Long.parseLong(parts.group(2)) : -1;
  }
}
