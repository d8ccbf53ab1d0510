package io.middleware.engine.render;

import io.middleware.engine.render.expression.SourcePosition;
import java.util.List;

/** A template as written, before its expressions are compiled. */
sealed interface ParsedTemplate {

  /** The position at which this node begins. */
  SourcePosition position();

  record ParsedMapping(List<ParsedEntry> entries, SourcePosition position)
      implements ParsedTemplate {
    public ParsedMapping {
      entries = List.copyOf(entries);
    }
  }

  record ParsedEntry(ParsedScalar key, ParsedTemplate value) {}

  record ParsedSequence(List<ParsedTemplate> items, SourcePosition position)
      implements ParsedTemplate {
    public ParsedSequence {
      items = List.copyOf(items);
    }
  }

  /** Its value is a String, Boolean, Number or null. */
  record ParsedScalar(Object value, ScalarOffsets offsets) implements ParsedTemplate {
    @Override
    public SourcePosition position() {
      return offsets.positionOf(0);
    }
  }

  /** Maps each code point of a scalar's value to its position in the source. */
  @FunctionalInterface
  interface ScalarOffsets {
    SourcePosition positionOf(int offset);
  }
}
