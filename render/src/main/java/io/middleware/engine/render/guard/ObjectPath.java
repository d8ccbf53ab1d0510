package io.middleware.engine.render.guard;

import java.util.regex.Pattern;

/** The path of a field in an object tree: {@code spec.ports[0].name}. */
public record ObjectPath(String text) {
  public static final ObjectPath ROOT = new ObjectPath("");

  private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z0-9_-]+");

  public ObjectPath field(String key) {
    if (!PLAIN_KEY.matcher(key).matches()) {
      return new ObjectPath(text + "[\"" + key + "\"]");
    }
    return new ObjectPath(text.isEmpty() ? key : text + "." + key);
  }

  public ObjectPath item(int index) {
    return new ObjectPath(text + "[" + index + "]");
  }

  @Override
  public String toString() {
    return text.isEmpty() ? "$" : text;
  }
}
