package io.middleware.engine.activities.render;

import java.util.regex.Pattern;

/** A place in an object tree, written the way people write it: {@code spec.ports[0].name}. */
public record Path(String text) {
  public static final Path ROOT = new Path("");

  private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z0-9_-]+");

  public Path field(String key) {
    if (!PLAIN_KEY.matcher(key).matches()) {
      return new Path(text + "[\"" + key + "\"]");
    }
    return new Path(text.isEmpty() ? key : text + "." + key);
  }

  public Path item(int index) {
    return new Path(text + "[" + index + "]");
  }

  @Override
  public String toString() {
    return text.isEmpty() ? "$" : text;
  }
}
