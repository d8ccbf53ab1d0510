package io.middleware.engine.activities.render.guard;

/**
 * What tells one configuration of a group from another; empty where there is none.
 *
 * @param restart of what takes a restart
 * @param all of every value
 */
public record ConfigurationHashes(String restart, String all) {
  /** There is no configuration. */
  public static final ConfigurationHashes NONE = new ConfigurationHashes("", "");
}
