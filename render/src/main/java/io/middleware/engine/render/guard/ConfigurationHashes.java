package io.middleware.engine.render.guard;

/**
 * Hashes that identify the configuration of a group; empty without a configuration.
 *
 * @param restart hash of the values that need a restart
 * @param all hash of all values
 */
public record ConfigurationHashes(String restart, String all) {
  /** There is no configuration. */
  public static final ConfigurationHashes NONE = new ConfigurationHashes("", "");
}
