package io.middleware.engine.watcher.metadata;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes each key to the ConfigMap that has it already, and a new one to the first that has room.
 *
 * <ol>
 *   <li>Write each key where it is. Where it is twice, after a crash, remove all but one.
 *   <li>Write what is new, or has no room there any more, to the next ConfigMap that has room.
 *   <li>Remove the keys that have moved from where they were.
 * </ol>
 */
final class MetadataPlacement {
  private final PublishedMetadata published;
  private final MetadataWriter writer;

  MetadataPlacement(PublishedMetadata published, MetadataWriter writer) {
    this.published = published;
    this.writer = writer;
  }

  /**
   * Writes the given keys of the namespace, and leaves all others unchanged; may be repeated.
   *
   * @param keys each with its text, or empty to remove it
   * @return the keys for which no ConfigMap has room; they stay as they were
   * @throws io.fabric8.kubernetes.client.KubernetesClientException as {@link MetadataWriter#write}
   */
  Set<String> write(String namespace, Map<String, Optional<String>> keys) {
    Map<String, Map<String, Optional<String>>> known = new HashMap<>();
    Map<String, Optional<String>> homeless = new HashMap<>();
    keys.forEach(
        (key, text) -> {
          var maps = published.maps(new ResourceID(key, namespace));
          if (maps.isEmpty()) {
            homeless.put(key, text);
          }
          for (var map : maps) {
            var isHome = map.equals(maps.getLast());
            known
                .computeIfAbsent(map, any -> new HashMap<>())
                .put(key, isHome ? text : Optional.empty());
          }
        });
    Map<String, Set<String>> refused = new HashMap<>();
    known.forEach((map, there) -> refused.put(map, writer.write(namespace, map, there)));
    refused.values().forEach(there -> there.forEach(key -> homeless.put(key, keys.get(key))));
    var left = place(namespace, homeless);
    refused.forEach((map, there) -> leave(namespace, map, there, left));
    return left;
  }

  /**
   * Returns what has no room anywhere. The removal of a key that is not observed yet goes where new
   * keys go; if the key is elsewhere, it is removed later as an orphan.
   */
  private Set<String> place(String namespace, Map<String, Optional<String>> homeless) {
    var left = homeless;
    for (var map : MetadataMaps.from(published.lastMap(namespace))) {
      if (left.isEmpty()) {
        break;
      }
      left = only(left, writer.write(namespace, map, left));
    }
    return left.keySet();
  }

  private void leave(String namespace, String map, Set<String> moving, Set<String> left) {
    var moved = new HashSet<>(moving);
    moved.removeAll(left);
    if (!moved.isEmpty()) {
      Map<String, Optional<String>> gone = new HashMap<>();
      moved.forEach(key -> gone.put(key, Optional.empty()));
      writer.write(namespace, map, gone);
    }
  }

  private static Map<String, Optional<String>> only(
      Map<String, Optional<String>> keys, Set<String> selection) {
    Map<String, Optional<String>> selected = new HashMap<>(keys);
    selected.keySet().retainAll(selection);
    return selected;
  }
}
