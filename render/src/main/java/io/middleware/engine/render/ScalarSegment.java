package io.middleware.engine.render;

/** A piece of a string scalar. Offsets count code points from the scalar's start. */
sealed interface ScalarSegment {

  record LiteralSegment(String text) implements ScalarSegment {}

  /** The text between <code>${</code> and its brace, and the offset of its first character. */
  record ExpressionSegment(String text, int offset) implements ScalarSegment {}

  /** A <code>${</code> whose closing brace is missing. */
  record UnclosedSegment(int offset) implements ScalarSegment {}
}
