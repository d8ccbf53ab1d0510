package io.middleware.engine.activities.actions;

/** What actions print, made fit for a status. */
public final class ActionTexts {
  private ActionTexts() {}

  /** The end of a text; no character is cut in two. */
  public static String end(String text, int longest) {
    var begin = Math.max(0, text.length() - longest);
    return text.substring(
        begin > 0 && Character.isLowSurrogate(text.charAt(begin)) ? begin + 1 : begin);
  }

  /** The last line that is not blank, for a message; empty when there is none. */
  public static String lastLine(String text) {
    return text.lines().map(String::strip).filter(it -> !it.isEmpty()).reduce("", (a, b) -> b);
  }
}
