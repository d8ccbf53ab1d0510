package io.middleware.engine.process.settings;

import java.util.regex.Pattern;

/** The forms a text setting may be held to. */
public enum TextForm {
  ANY("a text", ".*"),
  NAMESPACE(
      "a namespace name (at most 63 lower-case letters, digits and '-')",
      "(?=.{1,63}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"),
  OPTIONAL_NAME(
      "a Kubernetes object name (at most 253 lower-case letters, digits, '-' and '.'), or empty",
      "(?:(?=.{1,253}$)[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?)?"),
  OPTIONAL_ADDRESS("host:port, or empty", "(?:\\S+:\\d{1,5})?");

  private final String words;
  private final Pattern pattern;

  TextForm(String words, String pattern) {
    this.words = words;
    this.pattern = Pattern.compile(pattern, Pattern.DOTALL);
  }

  String words() {
    return words;
  }

  boolean fits(String text) {
    return pattern.matcher(text).matches();
  }
}
