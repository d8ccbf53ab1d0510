package io.middleware.engine.planning.app;

import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.GeneratedSecrets;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.render.GroupAccount;
import io.middleware.engine.render.SecretReference;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Puts into the values of an App in which Secrets its parameters of type secret are, and in which
 * version. So a Secret that has changed is a value that has changed.
 *
 * @param app name of the App
 * @param asked its spec; a component may name what is generated for another one
 * @param versions the version of a Secret; may make it
 */
public record SecretParameters(String app, AppSpec asked, Function<WantedSecret, String> versions) {

  /**
   * Where the value of a parameter is to be.
   *
   * @param field of the App, for messages
   * @param length of a value that is made where there is none; empty where others make it
   */
  public record WantedSecret(
      String field, String component, String name, String key, OptionalInt length) {}

  /** The spec with the versions of all its Secrets, and its accounts among the values. */
  public AppSpec spec() {
    return asked.components() == null
        ? asked
        : asked.withComponents(asked.components().stream().map(this::in).toList());
  }

  /** The component with the versions of its Secrets. */
  public ComponentTemplate in(ComponentTemplate component) {
    return new ComponentTemplate(
        component.name(),
        component.type(),
        in(
            GroupAccount.into(component.values(), component.accounts()),
            new Place(component.name(), "")),
        component.groups() == null
            ? null
            : component.groups().stream().map(group -> in(group, component.name())).toList(),
        component.checks(),
        null);
  }

  /** All values that are made for the App. */
  public Stream<WantedSecret> generated() {
    return asked.components().stream()
        .flatMap(
            component ->
                Stream.concat(
                    generated(
                        GroupAccount.into(component.values(), component.accounts()),
                        new Place(component.name(), "")),
                    Stream.ofNullable(component.groups())
                        .flatMap(List::stream)
                        .flatMap(
                            group ->
                                generated(
                                    group.values(), new Place(component.name(), group.name())))));
  }

  private GroupTemplate in(GroupTemplate group, String component) {
    return group.withValues(in(group.values(), new Place(component, group.name())));
  }

  /** Of values: those of a component, or of one of its groups. */
  private record Place(String component, String group) {
    String field(String parameter) {
      if (GroupAccount.isOne(parameter)) {
        return "spec.components[%s].accounts[%s].password"
            .formatted(component, parameter.substring(GroupAccount.PREFIX.length()));
      }
      return "spec.components[%s]%s.values.%s"
          .formatted(component, group.isEmpty() ? "" : ".groups[" + group + "]", parameter);
    }

    String key(String parameter) {
      if (GroupAccount.isOne(parameter)) {
        return parameter.substring(GroupAccount.PREFIX.length());
      }
      return group.isEmpty() ? parameter : group + "." + parameter;
    }
  }

  private Map<String, Object> in(Map<String, Object> values, Place place) {
    if (values == null) {
      return null;
    }
    var resolved = new TreeMap<>(values);
    resolved.replaceAll(
        (name, value) ->
            SecretReference.of(value).isPresent() ? in(name, (Map<?, ?>) value, place) : value);
    return resolved;
  }

  private Object in(String parameter, Map<?, ?> value, Place place) {
    var wanted = wanted(parameter, value, place);
    return new SecretReference(wanted.name(), wanted.key(), versions.apply(wanted)).asValue();
  }

  private WantedSecret wanted(String parameter, Map<?, ?> value, Place place) {
    var field = place.field(parameter);
    if (value.get(SecretReference.GENERATE) instanceof Integer length) {
      var name = secretOf(parameter, place.component());
      return new WantedSecret(
          field, place.component(), name, place.key(parameter), OptionalInt.of(length));
    }
    var known = SecretReference.of(value).orElseThrow();
    return generated()
        .filter(it -> it.name().equals(known.name()) && it.key().equals(known.key()))
        .findFirst()
        .orElseGet(
            () ->
                new WantedSecret(
                    field, place.component(), known.name(), known.key(), OptionalInt.empty()));
  }

  /** Another account must not change the version of the parameters, which may need a restart. */
  private String secretOf(String parameter, String component) {
    return GroupAccount.isOne(parameter)
        ? GeneratedSecrets.ofAccounts(app, component)
        : GeneratedSecrets.ofParameters(app, component);
  }

  private Stream<WantedSecret> generated(Map<String, Object> values, Place place) {
    return Stream.ofNullable(values)
        .flatMap(all -> all.entrySet().stream())
        .filter(
            entry ->
                entry.getValue() instanceof Map<?, ?> fields
                    && fields.containsKey(SecretReference.GENERATE))
        .map(entry -> wanted(entry.getKey(), (Map<?, ?>) entry.getValue(), place));
  }
}
