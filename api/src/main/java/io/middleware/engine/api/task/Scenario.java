package io.middleware.engine.api.task;

import java.util.Locale;

/** Which order a piece of work follows. */
public enum Scenario {
  PROVISION,
  STOP,
  UPDATE,
  UPGRADE;

  /**
   * The key in a plugin's {@code orders} and {@code orderFallback}, for example {@code upgrade}.
   */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
