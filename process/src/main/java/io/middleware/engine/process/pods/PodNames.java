package io.middleware.engine.process.pods;

import java.util.List;
import java.util.stream.IntStream;

/** The names of the pods of a StatefulSet. */
public final class PodNames {
  private PodNames() {}

  /**
   * @param first number of a pod: the set's {@code ordinals.start}
   */
  public static List<String> of(String set, int first, int count) {
    return IntStream.range(first, first + count).mapToObj(it -> set + "-" + it).toList();
  }
}
