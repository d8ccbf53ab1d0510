package io.middleware.engine.process.settings;

import io.middleware.engine.process.settings.SourcedValue.ScalarValue;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Converts a written value to the Java type of its setting; empty if the value is not valid. */
sealed interface ValueType {

  Optional<Object> read(SourcedValue given);

  /** The values allowed, for messages and the reference. */
  String allowed();

  static ValueType of(RecordComponent component) {
    Class<?> type = component.getType();
    Setting setting = component.getAnnotation(Setting.class);
    if (type == int.class) {
      return new NumberType(Integer.parseInt(setting.min()), Integer.parseInt(setting.max()));
    } else if (type == boolean.class) {
      return new BooleanType();
    } else if (type == Duration.class) {
      return new DurationType(setting.min(), setting.max());
    } else if (type == ListenAddress.class) {
      return new AddressType();
    } else if (type == List.class) {
      return new ListType(setting.form());
    } else if (type.isEnum()) {
      return new EnumType(List.of((Enum<?>[]) type.getEnumConstants()));
    } else if (type == String.class) {
      return new TextType(setting.form());
    }
    throw new IllegalStateException(component + ": not a type that a setting can have");
  }

  private static Optional<String> text(SourcedValue given, ScalarValue.ScalarKind kind) {
    return switch (given) {
      case SourcedValue.UntypedValue untyped -> Optional.of(untyped.text());
      case ScalarValue scalar when scalar.kind() == kind -> Optional.of(scalar.text());
      case ScalarValue wrongKind -> Optional.empty();
      case SourcedValue.SequenceValue list -> Optional.empty();
      case SourcedValue.MappingValue section -> Optional.empty();
    };
  }

  record NumberType(int min, int max) implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return text(given, ScalarValue.ScalarKind.NUMBER)
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

  record BooleanType() implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return text(given, ScalarValue.ScalarKind.BOOLEAN)
          .filter(text -> text.equals("true") || text.equals("false"))
          .map(Boolean::valueOf);
    }

    @Override
    public String allowed() {
      return "true or false";
    }
  }

  record DurationType(String min, String max) implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      Duration least = DurationFormat.of(min).orElseThrow();
      Duration most = DurationFormat.of(max).orElseThrow();
      return text(given, ScalarValue.ScalarKind.TEXT)
          .flatMap(DurationFormat::of)
          .filter(time -> time.compareTo(least) >= 0 && time.compareTo(most) <= 0)
          .map(Object.class::cast);
    }

    @Override
    public String allowed() {
      return "a duration from " + min + " to " + max + " (such as 30s, 5m, 1h30m, 500ms)";
    }
  }

  record AddressType() implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return text(given, ScalarValue.ScalarKind.TEXT)
          .flatMap(ListenAddress::of)
          .map(Object.class::cast);
    }

    @Override
    public String allowed() {
      return "host:port with a port from 0 (any free one) to 65535";
    }
  }

  record TextType(TextForm form) implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return text(given, ScalarValue.ScalarKind.TEXT).filter(form::fits).map(Object.class::cast);
    }

    @Override
    public String allowed() {
      return form.description();
    }
  }

  record ListType(TextForm form) implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return switch (given) {
        case SourcedValue.SequenceValue list -> all(list.items());
        case SourcedValue.UntypedValue text -> all(separated(text));
        case ScalarValue scalar -> Optional.empty();
        case SourcedValue.MappingValue section -> Optional.empty();
      };
    }

    private Optional<Object> all(List<? extends SourcedValue> items) {
      var texts = items.stream().flatMap(item -> fitting(item).stream()).toList();
      return texts.size() == items.size() ? Optional.of(texts) : Optional.empty();
    }

    private Optional<String> fitting(SourcedValue item) {
      return text(item, ScalarValue.ScalarKind.TEXT).filter(form::fits);
    }

    private static List<SourcedValue.UntypedValue> separated(SourcedValue.UntypedValue list) {
      return Arrays.stream(list.text().split(","))
          .map(String::strip)
          .filter(text -> !text.isEmpty())
          .map(text -> new SourcedValue.UntypedValue(text, list.place()))
          .toList();
    }

    @Override
    public String allowed() {
      return "a list, each item " + form.description();
    }
  }

  record EnumType(List<Enum<?>> values) implements ValueType {
    @Override
    public Optional<Object> read(SourcedValue given) {
      return text(given, ScalarValue.ScalarKind.TEXT)
          .flatMap(text -> values.stream().filter(value -> value.name().equals(text)).findFirst())
          .map(Object.class::cast);
    }

    @Override
    public String allowed() {
      return values.stream().map(Enum::name).collect(Collectors.joining(", ", "one of ", ""));
    }
  }
}
