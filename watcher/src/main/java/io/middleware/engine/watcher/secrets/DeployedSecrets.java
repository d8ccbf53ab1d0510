package io.middleware.engine.watcher.secrets;

import static java.util.stream.Collectors.toCollection;

import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GeneratedSecrets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets that others may write, with which the Components of an App are deployed.
 *
 * @param byName of the Secrets
 */
public record DeployedSecrets(Map<String, Use> byName) {
  private static final String REFERENCE = "secretRef";
  private static final String VERSION = "version";

  public DeployedSecrets {
    byName = Map.copyOf(byName);
  }

  /**
   * How an App uses a Secret.
   *
   * @param versions with which its Components were written; several while a change is under way
   * @param needed whether one of these Components is to run: a stopped one may lack its Secrets
   */
  public record Use(Set<String> keys, Set<String> versions, boolean needed) {
    public Use {
      keys = Set.copyOf(keys);
      versions = Set.copyOf(versions);
    }

    private Use and(Use other) {
      return new Use(
          union(keys, other.keys), union(versions, other.versions), needed || other.needed);
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
      return Stream.of(one, other).flatMap(Set::stream).collect(toCollection(TreeSet::new));
    }
  }

  /** Generated parameters are left out: an Operation rotates them, and does all that it takes. */
  static DeployedSecrets of(String app, List<Component> components) {
    var specs = components.stream().map(Component::getSpec).filter(Objects::nonNull).toList();
    var byName = new TreeMap<String, Use>();
    specs.forEach(spec -> add(spec, byName));
    specs.forEach(spec -> byName.remove(GeneratedSecrets.ofParameters(app, spec.component())));
    return new DeployedSecrets(byName);
  }

  private static void add(ComponentSpec spec, Map<String, Use> byName) {
    var values = valuesIn(spec);
    if (values != null) {
      values.values().forEach(it -> add((Map<?, ?>) it, !spec.isStopped(), byName));
    }
  }

  private static void add(Map<?, ?> value, boolean needed, Map<String, Use> byName) {
    if (value.get(REFERENCE) instanceof Map<?, ?> at
        && at.get("name") instanceof String name
        && at.get("key") instanceof String key) {
      var version = value.get(VERSION) instanceof String text ? text : "";
      byName.merge(name, new Use(Set.of(key), Set.of(version), needed), Use::and);
    }
  }

  private static Map<String, Object> values(ComponentSpec spec) {
    return spec.values() == null ? Map.of() : spec.values();
  }

  /**
   * Only the values that are Secrets, those of the groups among them under names of their own; null
   * when there are none.
   */
  public static @Nullable Map<String, Object> valuesIn(ComponentSpec spec) {
    var found = new TreeMap<String, Object>();
    keep("", values(spec), found);
    if (spec.groups() != null) {
      spec.groups().stream()
          .filter(group -> group.values() != null)
          .forEach(group -> keep(group.name() + "/", group.values(), found));
    }
    return found.isEmpty() ? null : found;
  }

  private static void keep(String prefix, Map<String, Object> values, Map<String, Object> found) {
    values.forEach(
        (name, value) -> {
          if (value instanceof Map<?, ?> fields && fields.containsKey(REFERENCE)) {
            found.put(prefix + name, value);
          }
        });
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }
}
