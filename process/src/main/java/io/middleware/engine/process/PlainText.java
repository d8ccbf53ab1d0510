package io.middleware.engine.process;

/**
 * The door through which the words of others, agents above all, enter the engine. Behind it they
 * reach statuses, events and terminals, so nothing passes that is not text.
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
   * @param most characters that remain
   */
  public static String clean(String said, int most) {
    var text = new StringBuilder();
    var length = 0;
    var gap = false;
    for (var i = 0; i < said.length(); i += Character.charCount(said.codePointAt(i))) {
      var character = said.codePointAt(i);
      if (!isText(character)) {
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
