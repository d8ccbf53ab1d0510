package io.middleware.engine.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.regex.Pattern;

/**
 * A manifest that a test edits. An edit that matches nothing fails, so that a test notices when the
 * sample it edits has changed.
 */
public record Yaml(String text) {
  /** A manifest of the checkout. */
  public static Yaml read(String path) {
    try {
      return new Yaml(Files.readString(Engine.CHECKOUT.resolve(path)));
    } catch (IOException e) {
      throw new UncheckedIOException("read " + path, e);
    }
  }

  /** Replaces every occurrence; there must be at least one. */
  public Yaml replace(String old, String replacement) {
    return edited(text.contains(old), old, text.replace(old, replacement));
  }

  /** Replaces the first match of a regular expression; there must be at least one. */
  public Yaml replaceFirst(String regex, String replacement) {
    var matcher = Pattern.compile(regex).matcher(text);
    return edited(matcher.find(), regex, matcher.replaceFirst(replacement));
  }

  /** The last of its documents. */
  public Yaml last() {
    return new Yaml(text.substring(text.lastIndexOf("---\n") + 4));
  }

  /** Adds lines at the end. */
  public Yaml plus(String lines) {
    return new Yaml(text + lines);
  }

  private Yaml edited(boolean matches, String old, String now) {
    if (!matches) {
      throw new AssertionError("nothing matches '%s' in:%n%s".formatted(old, text));
    }
    return new Yaml(now);
  }

  @Override
  public String toString() {
    return text;
  }
}
