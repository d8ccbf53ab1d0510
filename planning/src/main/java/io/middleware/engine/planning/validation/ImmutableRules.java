package io.middleware.engine.planning.validation;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.ParameterEffect;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.SpecEquality;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks that no immutable parameter of a deployed group gets another value: neither by an edit of
 * the App, nor by another default of its Plugin.
 *
 * @param plugin with which the group is to be rendered
 */
public record ImmutableRules(PluginSpec plugin, DeployedComponent deployed, ComponentSpec desired) {

  /**
   * @param field that holds the values of the group
   */
  public List<String> problems(String field, String group) {
    return new Comparison(this, deployed.plugin(group, plugin), group).problems(field);
  }

  /**
   * @param before with which the group was rendered
   */
  private record Comparison(ImmutableRules rules, PluginSpec before, String group) {

    List<String> problems(String field) {
      var was = new PluginCatalog(before).config(rules.deployed().spec(), group);
      var now = new PluginCatalog(rules.plugin()).config(rules.desired(), group);
      var known = parameters(before);
      var defaults = type(rules.plugin()).map(PluginCatalog::defaults).orElse(Map.of());
      // a parameter that the earlier Plugin does not know has had the new default all along
      parameters(rules.plugin()).keySet().stream()
          .filter(name -> !known.containsKey(name) && defaults.containsKey(name))
          .forEach(name -> was.putIfAbsent(name, defaults.get(name)));
      return names().stream()
          .filter(name -> !SpecEquality.same(was.get(name), now.get(name)))
          .map(name -> field + "." + name + problem(name, was.get(name), now.get(name)))
          .toList();
    }

    /** The immutable parameters, and those that the new Plugin has no longer. */
    private Set<String> names() {
      var now = parameters(rules.plugin());
      var names = new TreeSet<>(immutable(now));
      immutable(parameters(before)).stream()
          .filter(name -> !now.containsKey(name))
          .forEach(names::add);
      return names;
    }

    private String problem(String name, Object was, Object now) {
      if (!parameters(rules.plugin()).containsKey(name)) {
        return " is immutable, and %s no longer has it: the pods of %s have %s; keep that version, or create a new component"
            .formatted(label(rules.plugin()), label(before), shown(name, was));
      }
      return isSet(rules.desired(), name) || isSet(rules.deployed().spec(), name)
          ? " is immutable (it is %s): create a new component".formatted(shown(name, was))
          : " is immutable: it is %s by %s, and %s would make it %s: %s"
              .formatted(
                  shown(name, was),
                  label(before),
                  isSameVersion()
                      ? "the Plugin as it was edited since"
                      : "the default of " + label(rules.plugin()),
                  shown(name, now),
                  was == null
                      ? "keep that version, or create a new component"
                      : "set it to %s in values".formatted(shown(name, was)));
    }

    private boolean isSameVersion() {
      return before.name().equals(rules.plugin().name())
          && before.version().equals(rules.plugin().version());
    }

    private boolean isSet(ComponentSpec spec, String name) {
      return ComponentSpecs.groupSpec(spec, group).values().containsKey(name);
    }

    private String shown(String name, Object value) {
      var secret = new HashSet<String>();
      type(before).map(SensitiveParameters::of).ifPresent(it -> secret.addAll(it.declared()));
      type(rules.plugin())
          .map(SensitiveParameters::of)
          .ifPresent(it -> secret.addAll(it.declared()));
      return ParameterRules.shown(new SensitiveParameters(secret), name, value);
    }

    private Optional<ComponentType> type(PluginSpec of) {
      return new PluginCatalog(of).type(rules.desired().type());
    }

    private Map<String, Parameter> parameters(PluginSpec of) {
      return type(of).map(PluginCatalog::parameters).orElse(List.of()).stream()
          .collect(Collectors.toMap(Parameter::name, it -> it, (one, twin) -> one));
    }

    private static Set<String> immutable(Map<String, Parameter> parameters) {
      return parameters.values().stream()
          .filter(parameter -> parameter.effect() == ParameterEffect.IMMUTABLE)
          .map(Parameter::name)
          .collect(Collectors.toSet());
    }

    private static String label(PluginSpec plugin) {
      return "Plugin %s %s".formatted(plugin.name(), plugin.version());
    }
  }
}
