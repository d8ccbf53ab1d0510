package io.middleware.engine.process.settings;

import java.util.regex.Pattern;

/** The forms that a text setting can require. */
public enum TextForm {
  ANY("a text", ".*"),
  NAMESPACE(
      "a namespace name (at most 63 lower-case letters, digits and '-')",
      "(?=.{1,63}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"),
  OPTIONAL_CLUSTER(
      "a name (at most 63 lower-case letters, digits and '-'; not app, backup, op, test or load), or empty",
      "(?!(?:app|backup|op|test|load|secrets)$)(?:(?=.{1,63}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)?"),
  OPTIONAL_NAME(
      "a Kubernetes object name (at most 253 lower-case letters, digits, '-' and '.'), or empty",
      "(?:(?=.{1,253}$)[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?)?"),
  OPTIONAL_DEPLOYMENT("a text without spaces, dots and colons, or empty", "[^\\s.:]*"),
  OPTIONAL_WORD("a text without spaces and colons, or empty", "[^\\s:]*"),
  OPTIONAL_ADDRESS("host:port, or empty", "(?:\\S+:\\d{1,5})?"),
  HOST("host or host:port", "(?:[-A-Za-z0-9.]+|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?"),
  OPTIONAL_URL(
      "an http or https URL without a user and a query, or empty",
      "(?:https?://(?:[-A-Za-z0-9.]+|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?(?:/[^\\s?#]*)?)?");

  private final String description;
  private final Pattern pattern;

  TextForm(String description, String pattern) {
    this.description = description;
    this.pattern = Pattern.compile(pattern, Pattern.DOTALL);
  }

  String description() {
    return description;
  }

  boolean fits(String text) {
    return pattern.matcher(text).matches();
  }
}
