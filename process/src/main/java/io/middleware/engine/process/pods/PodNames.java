package io.middleware.engine.process.pods;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The names of the pods of a StatefulSet. */
public final class PodNames {
  private static final Pattern NUMBERS = Pattern.compile("[0-9]{1,9}");

  private PodNames() {}

  /**
   * @param first number of a pod: the set's {@code ordinals.start}
   */
  public static List<String> of(String set, int first, int count) {
    return IntStream.range(first, first + count).mapToObj(it -> set + "-" + it).toList();
  }

  /** Whether the name is the base (a StatefulSet, or a claim template) and a number. */
  public static boolean isNumbered(String base, String name) {
    return name.startsWith(base + "-")
        && NUMBERS.matcher(name.substring(base.length() + 1)).matches();
  }
}
