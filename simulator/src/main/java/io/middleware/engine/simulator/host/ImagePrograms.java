package io.middleware.engine.simulator.host;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the programs of an image are on this machine.
 *
 * @param folders by image, as in {@code valkey/valkey:9.0}: with its tag, without its registry
 */
public record ImagePrograms(Map<String, Path> folders) {
  /** No image has programs of its own. */
  public static final ImagePrograms NONE = new ImagePrograms(Map.of());

  public ImagePrograms {
    folders = Map.copyOf(folders);
  }

  /**
   * Reads {@code IMAGE=FOLDER,IMAGE=FOLDER}. Throws IllegalArgumentException, when a part is no
   * such pair, or an image stands there twice.
   */
  public static ImagePrograms parse(String text) {
    return new ImagePrograms(
        Stream.of(text.split(",", -1))
            .map(String::strip)
            .filter(pair -> !pair.isEmpty())
            .map(ImagePrograms::pair)
            .collect(Collectors.toMap(pair -> pair[0], pair -> Path.of(pair[1]), twice(text))));
  }

  private static BinaryOperator<Path> twice(String text) {
    return (one, other) -> {
      throw new IllegalArgumentException(text);
    };
  }

  private static String[] pair(String text) {
    var pair = text.split("=", 2);
    if (pair.length < 2 || !pair[0].contains(":") || !Path.of(pair[1]).isAbsolute()) {
      throw new IllegalArgumentException(text);
    }
    return pair;
  }

  /** The folder of an image, which a pod names with or without a registry and a digest. */
  Optional<Path> folder(String image) {
    return Optional.ofNullable(folders.get(shortName(image)));
  }

  private static String shortName(String image) {
    var name = image.replaceFirst("@.*", "");
    var registry = name.substring(0, name.indexOf('/') + 1);
    return (registry.matches("localhost/|.*[.:].*") ? name.substring(registry.length()) : name)
        .replaceFirst("^library/", ""); // of Docker Hub
  }
}
