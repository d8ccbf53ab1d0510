package io.middleware.engine.process.settings;

import java.util.List;
import java.util.stream.Collectors;

/** What somebody wrote for a setting, and where: a line of the file, a variable, an option. */
sealed interface Given {

  String place();

  /** The value as it stands there, for messages. */
  String shown();

  /** A scalar of the file. */
  record Scalar(Kind kind, String text, String place) implements Given {
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
  record Untyped(String text, String place) implements Given {
    @Override
    public String shown() {
      return '"' + text + '"';
    }
  }

  record Sequence(List<Given> items, String place) implements Given {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String shown() {
      return items.stream().map(Given::shown).collect(Collectors.joining(", ", "[", "]"));
    }
  }

  record Mapping(String place) implements Given {
    @Override
    public String shown() {
      return "a section";
    }
  }
}
