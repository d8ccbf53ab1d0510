package io.middleware.engine.api.task;

/**
 * The door through which the words of others, agents above all, enter the engine. Behind it they
 * reach statuses, events and terminals, so nothing passes that is not text. {@link Excerpt} is the
 * door through which they leave, and cleans as well.
 */
public final class PlainText {
  private static final int MOST = 300;

  private PlainText() {}

  /**
   * The text in one line: control and format characters (colours of terminals, line breaks, marks
   * that turn the direction of writing) become spaces, several spaces become one, and what is too
   * long is cut.
   */
  public static String clean(String said) {
    return clean(said, MOST);
  }

  /**
   * The same line by line: line breaks and tabs remain, as in what an action prints.
   *
   * @return of any length
   */
  public static String lines(String said) {
    var text = new StringBuilder(said.length());
    said.codePoints()
        .filter(character -> character == '\n' || character == '\t' || isText(character))
        .forEach(text::appendCodePoint);
    return text.toString();
  }

  /** As {@link #clean(String)}, of any length; a text that is clean stays as it is. */
  static String oneLine(String said) {
    return said.codePoints().allMatch(PlainText::isText) ? said : clean(said, said.length());
  }

  /**
   * @param most characters that remain
   */
  public static String clean(String said, int most) {
    var text = new StringBuilder();
    var length = 0;
    var gap = false;
    for (var i = 0; i < said.length(); i += Character.charCount(said.codePointAt(i))) {
      var character = said.codePointAt(i);
      if (!isText(character) || character == ' ') {
        gap = length > 0;
        continue;
      }
      length += gap ? 2 : 1;
      if (length > most) {
        return text.append('…').toString();
      }
      text.append(gap ? " " : "").appendCodePoint(character);
      gap = false;
    }
    return text.toString();
  }

  private static boolean isText(int character) {
    if (character == ' ') {
      return true;
    }
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
