package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What an App may ask for, and not every plugin can do. */
public enum Capability {
  /** The templates make something of {@code spec.monitoring}. */
  @JsonProperty("Monitoring")
  MONITORING("Monitoring"),

  /** The templates make something of {@code spec.backup}. */
  @JsonProperty("Backup")
  BACKUP("Backup"),

  /** The templates make something of {@code spec.access}. */
  @JsonProperty("Access")
  ACCESS("Access");

  private final String label;

  Capability(String label) {
    this.label = label;
  }

  /** The word in a Plugin. */
  public String label() {
    return label;
  }
}
