package io.middleware.engine.cluster.status;

import static java.util.Objects.requireNonNull;

/**
 * Something that happened to an object.
 *
 * @param key identifies what happened: the same key on the same object is the same event
 * @param reason one word
 * @param action what the engine was doing, one word
 * @param note the message for people
 */
public record EngineEvent(String key, Kind kind, String reason, String action, String note) {
  public EngineEvent {
    requireNonNull(key, "key");
    requireNonNull(kind, "kind");
    requireNonNull(reason, "reason");
    requireNonNull(action, "action");
    requireNonNull(note, "note");
  }

  /** Whether the event needs attention. */
  public enum Kind {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The word in the event. */
    public String label() {
      return label;
    }
  }
}
