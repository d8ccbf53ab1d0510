package io.middleware.engine.api.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/**
 * Cuts texts that may be too long for a status, an event, a log or a reader. Each becomes one line
 * of {@linkplain PlainText plain text} first, because parts of it may be the words of others.
 */
public final class Excerpt {
  private static final String ELLIPSIS = "…";
  private static final int ELLIPSIS_BYTES = 3;

  private Excerpt() {}

  /** The first characters, without a sign that the text is longer. */
  public static String start(String text, int longest) {
    var plain = PlainText.oneLine(text);
    return plain.substring(0, Math.min(plain.length(), longest));
  }

  /** The first characters of an object's name, to which a dot and a name may be added. */
  public static String ofName(String name, int longest) {
    return start(name, longest).replaceFirst("[-.]+$", "");
  }

  /** The first characters, and an ellipsis after them when the text is longer. */
  public static String of(String text, int characters) {
    var plain = PlainText.oneLine(text);
    return plain.length() <= characters ? plain : plain.substring(0, characters) + ELLIPSIS;
  }

  /**
   * At most so many characters with the ellipsis.
   *
   * @param text may be null, as the result is then
   */
  public static @Nullable String within(@Nullable String text, int longest) {
    var plain = text == null ? null : PlainText.oneLine(text);
    return plain == null || plain.length() <= longest ? plain : of(plain, longest - 1);
  }

  /**
   * At most so many bytes of UTF-8 with the ellipsis.
   *
   * @param longest at least 3
   */
  public static String withinBytes(String said, int longest) {
    var text = PlainText.oneLine(said);
    if (text.getBytes(UTF_8).length <= longest) {
      return text;
    }
    var end = Math.min(text.length(), longest);
    while (text.substring(0, end).getBytes(UTF_8).length > longest - ELLIPSIS_BYTES
        || Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end) + ELLIPSIS;
  }
}
