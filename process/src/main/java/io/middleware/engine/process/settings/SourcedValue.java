package io.middleware.engine.process.settings;

import java.util.List;
import java.util.stream.Collectors;

/** What somebody wrote for a setting, and where: a line of the file, a variable, an option. */
sealed interface SourcedValue {

  String place();

  /** The value as it stands there, for messages. */
  String shown();

  /** A scalar of the file. */
  record Scalar(Kind kind, String text, String place) implements SourcedValue {
    enum Kind {
      TEXT,
      NUMBER,
      BOOLEAN,
      NOTHING
    }

    @Override
    public String shown() {
      return switch (kind) {
        case TEXT -> '"' + text + '"';
        case NUMBER, BOOLEAN -> text;
        case NOTHING -> "empty";
      };
    }
  }

  /** A text without a type of its own: environment, command line, declared default. */
  record Untyped(String text, String place) implements SourcedValue {
    @Override
    public String shown() {
      return '"' + text + '"';
    }
  }

  record Sequence(List<SourcedValue> items, String place) implements SourcedValue {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String shown() {
      return items.stream().map(SourcedValue::shown).collect(Collectors.joining(", ", "[", "]"));
    }
  }

  record Mapping(String place) implements SourcedValue {
    @Override
    public String shown() {
      return "a section";
    }
  }
}
