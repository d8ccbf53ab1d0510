package io.middleware.engine.api.task;

import java.util.List;
import java.util.stream.Stream;

/**
 * The beginning of a list that has no limit of its own, for a status: an API server stores 1.5 MB
 * of an object at most.
 */
public final class FirstOf {
  private FirstOf() {}

  /** The list; or its beginning, and how many there are besides. */
  public static List<String> within(List<String> all, int most) {
    return all.size() <= most
        ? all
        : Stream.concat(
                all.stream().limit(most - 1L),
                Stream.of("and %d more".formatted(all.size() - most + 1)))
            .toList();
  }
}
