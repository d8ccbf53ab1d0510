package io.middleware.engine.planning.validation;

import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.ParameterType;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.render.GroupAccount;
import io.middleware.engine.render.SecretReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks how Apps say where the value of a parameter of type secret is; never quotes it. */
final class SecretValueRules {
  static final int SHORTEST = 16;
  static final int LONGEST = 128;

  private static final Pattern NAME = Pattern.compile(SchemaPatterns.OBJECT_NAME);
  private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");
  private static final String FORM =
      " must be {secretRef: {name: …, key: …}}, or {generate: %d}, a length of %d to %d"
          .formatted(2 * SHORTEST, SHORTEST, LONGEST);

  private SecretValueRules() {}

  static Optional<String> problem(Object value) {
    return value instanceof Map<?, ?> fields && isWellFormed(fields)
        ? Optional.empty()
        : Optional.of(FORM);
  }

  private static boolean isWellFormed(Map<?, ?> fields) {
    return fields.size() == 1
        && (isReference(fields.get(SecretReference.SECRET_REF))
            || isLength(fields.get(SecretReference.GENERATE)));
  }

  private static boolean isReference(Object value) {
    return value instanceof Map<?, ?> secret
        && secret.keySet().equals(Set.of("name", "key"))
        && secret.get("name") instanceof String name
        && NAME.matcher(name).matches()
        && secret.get("key") instanceof String key
        && KEY.matcher(key).matches();
  }

  private static boolean isLength(Object value) {
    return value instanceof Integer length && length >= SHORTEST && length <= LONGEST;
  }

  /**
   * The values that a Plugin gives to parameters of type secret, which all Apps would share; such
   * parameters of actions, whose values are kept in Operations; and connections without a password
   * or a Service.
   */
  static List<String> problems(PluginSpec plugin) {
    return Stream.ofNullable(plugin.componentTypes())
        .flatMap(List::stream)
        .flatMap(
            type ->
                Stream.concat(
                    problems(type), Stream.concat(connection(type), accounts(plugin, type))))
        .toList();
  }

  private static Stream<String> problems(ComponentType type) {
    var given = PluginCatalog.defaults(type).keySet();
    return Stream.concat(
        secrets(PluginCatalog.parameters(type))
            .filter(given::contains)
            .map(
                name ->
                    "componentTypes[%s].parameters[%s] is of type secret and cannot have a value in the Plugin: Apps say where theirs is"
                        .formatted(type.name(), name)),
        PluginCatalog.actions(type).stream()
            .flatMap(
                action ->
                    secrets(PluginCatalog.parameters(action))
                        .map(
                            name ->
                                "componentTypes[%s].actions[%s].parameters[%s] is of type secret, which only parameters of the component type can be"
                                    .formatted(type.name(), action.name(), name))));
  }

  /** Accounts without agents, and names that would be taken for them. */
  private static Stream<String> accounts(PluginSpec plugin, ComponentType type) {
    if (type.accounts() == null) {
      return Stream.empty();
    }
    return !plugin.hasAgents()
        ? Stream.of(
            "componentTypes[%s].accounts: there are no agents to make them: set agent"
                .formatted(type.name()))
        : PluginCatalog.parameters(type).stream()
            .map(Parameter::name)
            .filter(GroupAccount::isOne)
            .map(
                name ->
                    "componentTypes[%s].parameters[%s]: no parameter of a type with accounts may begin with %s: rename it"
                        .formatted(type.name(), name, GroupAccount.PREFIX));
  }

  private static Stream<String> connection(ComponentType type) {
    var form = type.connection();
    if (form == null) {
      return Stream.empty();
    }
    var field = "componentTypes[%s].connection".formatted(type.name());
    if (secrets(PluginCatalog.parameters(type)).noneMatch(form.password()::equals)) {
      return Stream.of(
          "%s.password: %s is not a parameter of type secret: name the one with the password of account %s"
              .formatted(field, form.password(), form.username()));
    }
    return type.endpoints() == null || type.endpoints().isEmpty()
        ? Stream.of(
            field + ": there are no endpoints to connect to: add componentTypes[].endpoints")
        : Stream.empty();
  }

  private static Stream<String> secrets(List<Parameter> parameters) {
    return parameters.stream()
        .filter(parameter -> parameter.type() == ParameterType.SECRET)
        .map(Parameter::name);
  }
}
