package io.middleware.engine.process.settings;

import io.middleware.engine.process.settings.SourcedValue.Scalar;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How what was written becomes a value of the setting's Java type; empty where it does not fit. */
sealed interface ValueType {

  Optional<Object> read(SourcedValue given);

  /** What may be written, for messages and the reference. */
  String allowed();

  static ValueType of(RecordComponent component) {
    Class<?> type = component.getType();
    Setting setting = component.getAnnotation(Setting.class);
    if (type == int.class) {
      return new WholeNumber(Integer.parseInt(setting.min()), Integer.parseInt(setting.max()));
    } else if (type == boolean.class) {
      return new Switch();
    } else if (type == Duration.class) {
      return new Time(setting.min(), setting.max());
    } else if (type == ListenAddress.class) {
      return new Listening();
    } else if (type == List.class) {
      return new Texts(setting.form());
    } else if (type.isEnum()) {
      return new Choice(List.of((Enum<?>[]) type.getEnumConstants()));
    } else if (type == String.class) {
      return new Text(setting.form());
    }
    throw new IllegalStateException(component + ": no setting can be of this type");
  }

  private static Optional<String> text(SourcedValue given, Scalar.Kind kind) {
    return switch (given) {
      case SourcedValue.Untyped untyped -> Optional.of(untyped.text());
      case Scalar scalar when scalar.kind() == kind -> Optional.of(scalar.text());
      case Scalar wrongKind -> Optional.empty();
      case SourcedValue.Sequence list -> Optional.empty();
      case SourcedValue.Mapping section -> Optional.empty();
    };
  }

  record WholeNumber(int min, int max) implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return text(given, Scalar.Kind.NUMBER)
          .filter(text -> text.matches("-?\\d{1,9}"))
          .map(Integer::valueOf)
          .filter(number -> number >= min && number <= max)
          .map(Object.class::cast);
    }

    @Override
    public String allowed() {
      return "a whole number from " + min + " to " + max;
    }
  }

  record Switch() implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return text(given, Scalar.Kind.BOOLEAN)
          .filter(text -> text.equals("true") || text.equals("false"))
          .map(Boolean::valueOf);
    }

    @Override
    public String allowed() {
      return "true or false";
    }
  }

  record Time(String min, String max) implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      Duration least = DurationFormat.of(min).orElseThrow();
      Duration most = DurationFormat.of(max).orElseThrow();
      return text(given, Scalar.Kind.TEXT)
          .flatMap(DurationFormat::of)
          .filter(time -> time.compareTo(least) >= 0 && time.compareTo(most) <= 0)
          .map(Object.class::cast);
    }

    @Override
    public String allowed() {
      return "a duration from " + min + " to " + max + " (such as 30s, 5m, 1h30m, 500ms)";
    }
  }

  record Listening() implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return text(given, Scalar.Kind.TEXT).flatMap(ListenAddress::of).map(Object.class::cast);
    }

    @Override
    public String allowed() {
      return "host:port with a port from 0 (any free one) to 65535";
    }
  }

  record Text(TextForm form) implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return text(given, Scalar.Kind.TEXT).filter(form::fits).map(Object.class::cast);
    }

    @Override
    public String allowed() {
      return form.words();
    }
  }

  record Texts(TextForm form) implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return switch (given) {
        case SourcedValue.Sequence list -> all(list.items());
        case SourcedValue.Untyped text -> all(separated(text));
        case Scalar scalar -> Optional.empty();
        case SourcedValue.Mapping section -> Optional.empty();
      };
    }

    private Optional<Object> all(List<? extends SourcedValue> items) {
      var texts = items.stream().flatMap(item -> fitting(item).stream()).toList();
      return texts.size() == items.size() ? Optional.of(texts) : Optional.empty();
    }

    private Optional<String> fitting(SourcedValue item) {
      return text(item, Scalar.Kind.TEXT).filter(form::fits);
    }

    private static List<SourcedValue.Untyped> separated(SourcedValue.Untyped list) {
      return Arrays.stream(list.text().split(","))
          .map(String::strip)
          .filter(text -> !text.isEmpty())
          .map(text -> new SourcedValue.Untyped(text, list.place()))
          .toList();
    }

    @Override
    public String allowed() {
      return "a list, each item " + form.words();
    }
  }

  record Choice(List<Enum<?>> values) implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return text(given, Scalar.Kind.TEXT)
          .flatMap(text -> values.stream().filter(value -> value.name().equals(text)).findFirst())
          .map(Object.class::cast);
    }

    @Override
    public String allowed() {
      return values.stream().map(Enum::name).collect(Collectors.joining(", ", "one of ", ""));
    }
  }
}
