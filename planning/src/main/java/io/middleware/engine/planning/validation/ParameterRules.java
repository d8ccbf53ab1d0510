package io.middleware.engine.planning.validation;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.ParameterType;
import io.middleware.engine.api.plugin.PluginAction;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.SpecEquality;
import io.middleware.engine.render.expression.PatternSize;
import io.middleware.engine.render.sensitive.SensitiveMarks;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks that values fit the parameters of their component type. */
public final class ParameterRules {
  private final String owner;
  private final Map<String, Parameter> parameters;
  private final SensitiveParameters sensitive;

  /** Of the values of a component. */
  public ParameterRules(ComponentType type) {
    this("type " + type.name(), PluginCatalog.parameters(type), SensitiveParameters.of(type));
  }

  /** Of the parameters of an action. */
  public ParameterRules(PluginAction action) {
    this(
        "action " + action.name(),
        PluginCatalog.parameters(action),
        SensitiveParameters.of(action));
  }

  private ParameterRules(String owner, List<Parameter> known, SensitiveParameters sensitive) {
    this.owner = owner;
    this.sensitive = sensitive;
    this.parameters =
        known.stream()
            .collect(
                Collectors.toMap(
                    Parameter::name, Function.identity(), (one, twin) -> one, TreeMap::new));
  }

  /**
   * @param field that holds the values, for example {@code spec.components[sentinel].values}
   */
  public List<String> problems(String field, Map<String, Object> values) {
    var problems = new ArrayList<String>();
    if (values != null) {
      new TreeMap<>(values)
          .forEach(
              (name, value) ->
                  problem(name, value).forEach(text -> problems.add(field + "." + name + text)));
    }
    return problems;
  }

  private Stream<String> problem(String name, Object value) {
    var parameter = parameters.get(name);
    if (parameter == null) {
      return Stream.of(
          " is not a parameter of %s, whose parameters are: %s"
              .formatted(
                  owner, parameters.isEmpty() ? "none" : String.join(", ", parameters.keySet())));
    }
    if (SensitiveMarks.isMark(value)) {
      return Stream.of(" is a mark in place of a value that was not kept: write the value");
    }
    if (parameter.type() == ParameterType.SECRET) {
      return SecretValueRules.problem(value).stream();
    }
    return wrongType(parameter, value)
        .map(expected -> " must be %s, was %s".formatted(expected, shown(name, value)))
        .map(Stream::of)
        .orElseGet(() -> outOfBounds(parameter, value));
  }

  private static Optional<String> wrongType(Parameter parameter, Object value) {
    var fits =
        switch (typeOf(parameter)) {
          case INTEGER -> value instanceof Integer || value instanceof Long;
          case BOOLEAN -> value instanceof Boolean;
          case STRING -> value instanceof String;
          case SECRET -> SecretValueRules.problem(value).isEmpty();
        };
    return fits
        ? Optional.empty()
        : Optional.of(
            switch (typeOf(parameter)) {
              case INTEGER -> "an integer";
              case BOOLEAN -> "true or false";
              case STRING -> "a string (in quotes)";
              case SECRET -> "a reference to a Secret";
            });
  }

  private static ParameterType typeOf(Parameter parameter) {
    return parameter.type() == null ? ParameterType.STRING : parameter.type();
  }

  private Stream<String> outOfBounds(Parameter parameter, Object value) {
    var bounds = new ArrayList<String>();
    if (value instanceof Number number) {
      if (parameter.minimum() != null && number.longValue() < parameter.minimum()) {
        bounds.add("be at least " + parameter.minimum());
      }
      if (parameter.maximum() != null && number.longValue() > parameter.maximum()) {
        bounds.add("be at most " + parameter.maximum());
      }
    }
    if (parameter.allowed() != null
        && !parameter.allowed().isEmpty()
        && parameter.allowed().stream().noneMatch(allowed -> SpecEquality.same(allowed, value))) {
      bounds.add("be one of " + parameter.allowed());
    }
    if (value instanceof String text && parameter.pattern() != null) {
      mismatch(parameter.pattern(), text).forEach(bounds::add);
    }
    return bounds.stream()
        .map(bound -> " must %s, was %s".formatted(bound, shown(parameter.name(), value)));
  }

  /** RE2 takes linear time for every pattern; a backtracking engine could block the worker. */
  private static Stream<String> mismatch(String pattern, String text) {
    var problem = PatternSize.problem(pattern, text.length());
    if (problem.isPresent()) {
      return Stream.of("match %s, but %s".formatted(pattern, problem.get()));
    }
    try {
      return Pattern.compile(pattern).matcher(text).find()
          ? Stream.empty()
          : Stream.of("match " + pattern);
    } catch (PatternSyntaxException e) {
      return Stream.of(
          "match %s, which is not a valid pattern (%s) in the plugin"
              .formatted(pattern, e.getDescription()));
    }
  }

  private String shown(String name, Object value) {
    return shown(sensitive, name, value);
  }

  /** A value for people; a secret is not shown. */
  static String shown(SensitiveParameters sensitive, String name, Object value) {
    if (sensitive.contain(name)) {
      return SensitiveParameters.HIDDEN;
    }
    return value instanceof String text ? "\"" + text + "\"" : String.valueOf(value);
  }
}
