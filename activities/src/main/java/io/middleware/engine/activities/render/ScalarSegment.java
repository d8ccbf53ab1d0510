package io.middleware.engine.activities.render;

/** A piece of a string scalar. Offsets count code points from the scalar's start. */
sealed interface ScalarSegment {

  record Text(String text) implements ScalarSegment {}

  /**
   * What stands between <code>${</code> and its brace; the offset is that of its first character.
   */
  record Code(String text, int offset) implements ScalarSegment {}

  /** A <code>${</code> whose closing brace is missing. */
  record Unclosed(int offset) implements ScalarSegment {}
}
