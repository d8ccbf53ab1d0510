package io.middleware.engine.activities.actions;

import java.util.regex.Pattern;

/** What actions print, made fit for a status. */
final class ActionTexts {
  private static final int LONGEST_VALUE = 512;
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}&&[^\\n\\t]]");

  private ActionTexts() {}

  /** Without control characters, of which a terminal may make anything. */
  static String printable(String text) {
    return CONTROL.matcher(text).replaceAll("");
  }

  /** The end of a text; no character is cut in two. */
  static String end(String text, int longest) {
    var begin = Math.max(0, text.length() - longest);
    return text.substring(
        begin > 0 && Character.isLowSurrogate(text.charAt(begin)) ? begin + 1 : begin);
  }

  static String cut(String text) {
    var clean = printable(text);
    return clean.substring(0, Math.min(clean.length(), LONGEST_VALUE));
  }

  /** The last line that is not blank, for a message; empty when there is none. */
  static String lastLine(String text) {
    return text.lines().map(String::strip).filter(it -> !it.isEmpty()).reduce("", (a, b) -> b);
  }
}
