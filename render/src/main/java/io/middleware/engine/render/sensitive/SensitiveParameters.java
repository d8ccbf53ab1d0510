package io.middleware.engine.render.sensitive;

import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.ParameterType;
import io.middleware.engine.api.plugin.PluginAction;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.render.SecretReference;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parameters whose values are secrets: those that the Plugin declares sensitive, in any of its
 * component types, and those with such a name.
 *
 * @param declared the names of those that the Plugin declares sensitive
 */
public record SensitiveParameters(Set<String> declared) {
  /** What is shown instead of a value. */
  public static final String HIDDEN = "(not shown)";

  private static final Pattern NAME = Pattern.compile("(?i)pass|secret|token|credential|auth|key");

  public SensitiveParameters {
    declared = Set.copyOf(declared);
  }

  public static SensitiveParameters of(PluginSpec plugin) {
    return of(Stream.ofNullable(plugin.componentTypes()).flatMap(List::stream));
  }

  /** Those of all Plugins, and of their actions. */
  public static SensitiveParameters of(List<PluginSpec> plugins) {
    return new SensitiveParameters(
        plugins.stream()
            .flatMap(
                plugin ->
                    Stream.concat(
                        Stream.of(of(plugin)),
                        Stream.ofNullable(plugin.componentTypes())
                            .flatMap(List::stream)
                            .map(ComponentType::actions)
                            .filter(Objects::nonNull)
                            .flatMap(List::stream)
                            .map(SensitiveParameters::of)))
            .flatMap(it -> it.declared().stream())
            .collect(Collectors.toSet()));
  }

  public static SensitiveParameters of(ComponentType type) {
    return of(Stream.of(type));
  }

  public static SensitiveParameters of(PluginAction action) {
    return declared(Stream.ofNullable(action.parameters()).flatMap(List::stream));
  }

  private static SensitiveParameters of(Stream<ComponentType> types) {
    return declared(
        types.map(ComponentType::parameters).filter(Objects::nonNull).flatMap(List::stream));
  }

  private static SensitiveParameters declared(Stream<Parameter> parameters) {
    return new SensitiveParameters(
        parameters
            .filter(
                parameter ->
                    Boolean.TRUE.equals(parameter.sensitive())
                        || parameter.type() == ParameterType.SECRET)
            .map(parameter -> parameter.name())
            .collect(Collectors.toSet()));
  }

  /**
   * A number or a truth value only where it is declared: a name alone may be a coincidence. A
   * reference to a Secret says nothing about its value.
   */
  boolean hide(String name, Object value) {
    return !isReference(value)
        && (declared.contains(name) || (value instanceof String && contain(name)));
  }

  /** Whether it says where a secret is kept, and so is none itself. */
  public static boolean isReference(Object value) {
    return SecretReference.of(value).isPresent();
  }

  public boolean contain(String name) {
    return declared.contains(name) || NAME.matcher(name).find();
  }
}
