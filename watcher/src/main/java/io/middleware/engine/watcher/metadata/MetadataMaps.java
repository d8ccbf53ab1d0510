package io.middleware.engine.watcher.metadata;

import io.middleware.engine.api.Labels;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The names of the metadata ConfigMaps of a namespace. One has room for 1 MiB; what it has no room
 * for is in the next. They are few, so that RBAC can name them.
 */
final class MetadataMaps {
  static final List<String> NAMES =
      Stream.concat(
              Stream.of(Labels.METADATA),
              IntStream.rangeClosed(2, 8).mapToObj(number -> Labels.METADATA + "-" + number))
          .toList();

  private MetadataMaps() {}

  /** Where new keys go: to the last one in use, to one before it, or else to one more. */
  static List<String> from(String lastInUse) {
    var last = NAMES.indexOf(lastInUse);
    return Stream.of(
            List.of(lastInUse), NAMES.subList(0, last), NAMES.subList(last + 1, NAMES.size()))
        .flatMap(List::stream)
        .toList();
  }
}
