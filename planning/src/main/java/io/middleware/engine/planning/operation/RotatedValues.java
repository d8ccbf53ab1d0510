package io.middleware.engine.planning.operation;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GeneratedSecrets;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.render.SecretReference;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The values of Secrets that a component uses and an Operation may rotate.
 *
 * @param uses one for each parameter of each group
 */
public record RotatedValues(ComponentSpec component, List<Use> uses) {

  /** A parameter of a group, and where its value is. */
  public record Use(String group, String parameter, SecretReference secret) {
    /** Where the value is, whoever uses it. */
    boolean isAnyOf(Collection<Use> others) {
      return others.stream()
          .anyMatch(
              it ->
                  it.secret().name().equals(secret.name())
                      && it.secret().key().equals(secret.key()));
    }
  }

  public RotatedValues {
    uses = List.copyOf(uses);
  }

  /** Those that are deployed. */
  public static RotatedValues of(ComponentSpec component, PluginSpec plugin) {
    var names =
        new PluginCatalog(plugin)
            .type(component.type()).stream()
                .flatMap(type -> PluginCatalog.parameters(type).stream())
                .filter(parameter -> Boolean.TRUE.equals(parameter.rotates()))
                .map(Parameter::name)
                .toList();
    var uses =
        ComponentSpecs.byName(component).keySet().stream()
            .flatMap(group -> names.stream().flatMap(name -> use(component, group, name).stream()))
            .toList();
    return new RotatedValues(component, uses);
  }

  private static Optional<Use> use(ComponentSpec component, String group, String parameter) {
    var values = ComponentSpecs.groupSpec(component, group).values();
    return Optional.ofNullable(values)
        .map(it -> it.get(parameter))
        .flatMap(SecretReference::of)
        .filter(secret -> !secret.name().isEmpty())
        .map(secret -> new Use(group, parameter, secret));
  }

  /**
   * Those that are rotated with this component: what is generated for another one is rotated with
   * that one.
   *
   * @param components all names of components of the App
   */
  public RotatedValues own(Collection<String> components) {
    return new RotatedValues(
        component,
        uses.stream()
            .filter(
                use ->
                    components.stream()
                        .filter(it -> !it.equals(component.component()))
                        .noneMatch(it -> use.secret().name().equals(generated(it))))
            .toList());
  }

  /** Those of these that are rotated with the other component. */
  public RotatedValues among(RotatedValues rotated) {
    return new RotatedValues(
        component, uses.stream().filter(use -> use.isAnyOf(rotated.uses())).toList());
  }

  /** The name of the Secret that the engine has made for this component. */
  public String generated() {
    return generated(component.component());
  }

  private String generated(String name) {
    return GeneratedSecrets.ofParameters(component.app(), name);
  }

  /** The keys of values that the engine makes. */
  public Set<String> generatedKeys() {
    var keys = new TreeSet<String>();
    uses.stream()
        .map(Use::secret)
        .filter(secret -> secret.name().equals(generated()))
        .forEach(secret -> keys.add(secret.key()));
    return keys;
  }

  /** The names of their parameters. */
  public Stream<String> parameters() {
    return uses.stream().map(Use::parameter).distinct().sorted();
  }
}
