package io.middleware.engine.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableSet;

import com.google.common.hash.Hashing;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.ParameterEffect;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.render.guard.ConfigurationHashes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The configuration of a group.
 *
 * @param values all set parameters by name, but for those of type secret
 * @param secrets those of type secret that are set
 * @param hot the parameters that running pods can reload; none without agents
 * @param accounts which pods can always reload, and read in a file of their own
 */
public record GroupConfig(
    SortedMap<String, Object> values,
    SortedMap<String, SecretReference> secrets,
    Set<String> hot,
    List<GroupAccount> accounts) {
  private static final int HASH_LENGTH = 16;

  public GroupConfig {
    values = new TreeMap<>(values);
    secrets = new TreeMap<>(secrets);
    hot = Set.copyOf(hot);
    accounts = List.copyOf(accounts);
  }

  /**
   * @throws java.util.NoSuchElementException when the plugin lacks the component type
   */
  public static GroupConfig of(PluginSpec plugin, GroupSpec group) {
    var type = GroupRenderer.type(plugin, group.type());
    var values = ConfigValues.merge(defaults(type), Map.of(), GroupContext.orEmpty(group.values()));
    var accounts = type.accounts() == null ? List.<GroupAccount>of() : GroupAccount.in(values);
    if (type.accounts() != null) {
      values.keySet().removeIf(GroupAccount::isOne);
    }
    var secrets = new TreeMap<String, SecretReference>();
    values.forEach(
        (name, value) -> SecretReference.of(value).ifPresent(it -> secrets.put(name, it)));
    values.keySet().removeAll(secrets.keySet());
    return new GroupConfig(values, secrets, hot(plugin, type), accounts);
  }

  /** The parameters of the type that the plugin's agents can apply to running pods. */
  public static Set<String> hot(PluginSpec plugin, ComponentType type) {
    return plugin.hasAgents()
        ? GroupContext.orEmpty(type.parameters()).stream()
            .filter(parameter -> parameter.effect() == ParameterEffect.HOT)
            .map(Parameter::name)
            .collect(toUnmodifiableSet())
        : Set.of();
  }

  /** The reloadable parameters with their values as text; of a secret, where it is. */
  public SortedMap<String, String> reloadable() {
    var reloadable = new TreeMap<String, String>();
    all()
        .forEach(
            (name, value) -> {
              if (hot.contains(name)) {
                reloadable.put(name, value.toString());
              }
            });
    accounts.forEach(account -> reloadable.put(account.parameter(), account.text()));
    return reloadable;
  }

  /**
   * Hashes for the pod templates. The restart hash covers only the presence of a Hot parameter:
   * adding or removing a value cannot be reloaded.
   */
  ConfigurationHashes hashes() {
    var cold = all();
    cold.replaceAll((name, value) -> hot.contains(name) ? "" : value);
    return new ConfigurationHashes(hash(cold), hash(all()));
  }

  private SortedMap<String, Object> all() {
    var all = new TreeMap<>(values);
    all.putAll(secrets);
    return all;
  }

  private static String hash(Map<String, Object> values) {
    return values.isEmpty()
        ? ""
        : Hashing.sha256()
            .hashString(values.toString(), UTF_8)
            .toString()
            .substring(0, HASH_LENGTH);
  }

  /** The parameters' defaults, overridden by the values of the component type. */
  private static Map<String, Object> defaults(ComponentType type) {
    Map<String, Object> defaults = new HashMap<>();
    for (Parameter parameter : GroupContext.orEmpty(type.parameters())) {
      if (parameter.defaultValue() != null) {
        defaults.put(parameter.name(), parameter.defaultValue());
      }
    }
    return ConfigValues.merge(defaults, GroupContext.orEmpty(type.values()), Map.of());
  }
}
