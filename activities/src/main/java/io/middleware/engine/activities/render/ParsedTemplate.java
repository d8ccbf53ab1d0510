package io.middleware.engine.activities.render;

import java.util.List;

/** A template as it was written, before its expressions are looked at. */
sealed interface ParsedTemplate {

  /** Where this node begins. */
  SourcePosition place();

  record Mapping(List<Entry> entries, SourcePosition place) implements ParsedTemplate {
    public Mapping {
      entries = List.copyOf(entries);
    }
  }

  record Entry(Scalar key, ParsedTemplate value) {}

  record Sequence(List<ParsedTemplate> items, SourcePosition place) implements ParsedTemplate {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /** Its value is a String, Boolean, Number or null. */
  record Scalar(Object value, Offsets offsets) implements ParsedTemplate {
    @Override
    public SourcePosition place() {
      return offsets.placeOf(0);
    }
  }

  /** Knows where each code point of a scalar's value stands. */
  @FunctionalInterface
  interface Offsets {
    SourcePosition placeOf(int offset);
  }
}
