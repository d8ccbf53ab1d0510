package io.middleware.engine.api;

import java.util.regex.Pattern;

/** What a pod is within its middleware, in the word of its agent. */
public final class Role {
  /** Touched last; at most one in a group that has settled. */
  public static final String PRIMARY = "primary";

  private static final Pattern WORD = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  private Role() {}

  /** What an agent said, if it is a word for a role; else empty. */
  public static String word(String said) {
    return WORD.matcher(said).matches() ? said : "";
  }
}
