package io.middleware.engine.process.settings;

import java.util.List;
import java.util.stream.Collectors;

/** The value of a setting and its place: a line of the file, a variable or an option. */
sealed interface SourcedValue {

  String place();

  /** The value as it was written, for messages. */
  String quoted();

  /** A scalar of the file. */
  record ScalarValue(ScalarKind kind, String text, String place) implements SourcedValue {
    enum ScalarKind {
      TEXT,
      NUMBER,
      BOOLEAN,
      NOTHING
    }

    @Override
    public String quoted() {
      return switch (kind) {
        case TEXT -> '"' + text + '"';
        case NUMBER, BOOLEAN -> text;
        case NOTHING -> "empty";
      };
    }
  }

  /** A text without a type: from the environment, the command line or the declared default. */
  record UntypedValue(String text, String place) implements SourcedValue {
    @Override
    public String quoted() {
      return '"' + text + '"';
    }
  }

  record SequenceValue(List<SourcedValue> items, String place) implements SourcedValue {
    public SequenceValue {
      items = List.copyOf(items);
    }

    @Override
    public String quoted() {
      return items.stream().map(SourcedValue::quoted).collect(Collectors.joining(", ", "[", "]"));
    }
  }

  record MappingValue(String place) implements SourcedValue {
    @Override
    public String quoted() {
      return "a section";
    }
  }
}
