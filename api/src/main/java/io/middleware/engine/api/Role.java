package io.middleware.engine.api;

import java.util.regex.Pattern;

/** The role of a pod in its middleware, as its agent reports it. */
public final class Role {
  /** Touched last; at most one in a group that has settled. */
  public static final String PRIMARY = "primary";

  private static final Pattern WORD = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  private Role() {}

  /** What an agent answered, if that is a valid role; otherwise empty. */
  public static String word(String said) {
    return WORD.matcher(said).matches() ? said : "";
  }
}
