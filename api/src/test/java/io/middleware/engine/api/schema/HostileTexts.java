package io.middleware.engine.api.schema;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Variations of a good text that mean something else in a URL, a path, a selector or a line. */
public final class HostileTexts {
  private static final List<String> PIECES =
      List.of(
          "?watch=true",
          "#",
          "&limit=1",
          "%2f",
          "%00",
          "/",
          "//",
          "/..",
          "../",
          "\\",
          "@",
          ":",
          ";",
          ",",
          "=",
          "!",
          " ",
          "\t",
          "\n",
          "\r\n",
          "\0",
          "\u001b[31m",
          "\u0007",
          "\u0085",
          "\u202e",
          "\u2066",
          "\u200f",
          "\u2028",
          "\ufeff",
          "\"",
          "'",
          "{",
          "}",
          "$(x)",
          "*",
          "é",
          "\ud800");

  private HostileTexts() {}

  /** As many variations, always the same. */
  public static Stream<String> of(String good, int many) {
    var random = new Random(good.hashCode());
    return Stream.generate(() -> variation(good, random)).limit(many);
  }

  private static String variation(String good, Random random) {
    var text = new StringBuilder(good);
    for (var i = random.nextInt(3); i >= 0; i--) {
      text.insert(random.nextInt(text.length() + 1), PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }
}
