package io.middleware.engine.activities.render;

import java.util.List;

/** A template as it was written, before its expressions are looked at. */
sealed interface Source {

  /** Where this node begins. */
  Place place();

  record Mapping(List<Entry> entries, Place place) implements Source {
    public Mapping {
      entries = List.copyOf(entries);
    }
  }

  record Entry(Scalar key, Source value) {}

  record Sequence(List<Source> items, Place place) implements Source {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /** Its value is a String, Boolean, Number or null. */
  record Scalar(Object value, Offsets offsets) implements Source {
    @Override
    public Place place() {
      return offsets.placeOf(0);
    }
  }

  /** Knows where each code point of a scalar's value stands. */
  @FunctionalInterface
  interface Offsets {
    Place placeOf(int offset);
  }
}
