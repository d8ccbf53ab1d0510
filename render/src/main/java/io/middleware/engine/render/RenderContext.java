package io.middleware.engine.render;

import static java.util.Objects.requireNonNull;

import dev.cel.common.values.NullValue;
import io.middleware.engine.render.expression.CelValues;
import io.middleware.engine.render.guard.OwnerLabels;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** All inputs of a template: the group, its software and its workload. */
public record RenderContext(
    Subject subject, Software software, Workload workload, Extras extras, OwnerLabels owner) {

  public RenderContext {
    requireNonNull(subject, "subject");
    requireNonNull(software, "software");
    requireNonNull(workload, "workload");
    requireNonNull(extras, "extras");
    requireNonNull(owner, "owner");
  }

  /** The group that is rendered; its objects are named after {@code name}. */
  public record Subject(String name, String namespace, String app, String component, String group) {
    public Subject {
      requireNonNull(name, "name");
      requireNonNull(namespace, "namespace");
      requireNonNull(app, "app");
      requireNonNull(component, "component");
      requireNonNull(group, "group");
    }
  }

  public record Software(Release runtime, Release plugin, Map<String, String> images) {
    public Software {
      requireNonNull(runtime, "runtime");
      requireNonNull(plugin, "plugin");
      images = orEmpty(images);
    }
  }

  public record Release(String name, String version) {
    public Release {
      requireNonNull(name, "name");
      requireNonNull(version, "version");
    }

    private Map<String, String> asMap() {
      return Map.of("name", name, "version", version);
    }
  }

  /**
   * A null map becomes an empty one.
   *
   * @param volumes size and class of each by its name, beside that of the storage
   */
  public record Workload(
      int replicas,
      Map<String, ?> resources,
      Map<String, ?> storage,
      Map<String, Map<String, Object>> volumes,
      Map<String, ?> affinity,
      Map<String, ?> config) {
    public Workload {
      resources = orEmpty(resources);
      storage = orEmpty(storage);
      volumes = orEmpty(volumes);
      affinity = orEmpty(affinity);
      config = orEmpty(config);
    }

    /** One without further volumes. */
    public Workload(
        int replicas,
        Map<String, ?> resources,
        Map<String, ?> storage,
        Map<String, ?> affinity,
        Map<String, ?> config) {
      this(replicas, resources, storage, Map.of(), affinity, config);
    }

    private Map<String, Object> namedVolumes() {
      var named = new TreeMap<String, Object>(); // as all maps that expressions see
      volumes.forEach(
          (name, volume) -> named.put(name, withStorageClass(CelValues.fromPlain(volume))));
      return named;
    }
  }

  /**
   * What not every group has.
   *
   * @param parameters of the action that is rendered; empty otherwise
   * @param secrets the parameters of type secret that are set
   * @param access the peers of a NetworkPolicy; empty where everybody may connect
   */
  public record Extras(
      Map<String, ?> monitoring,
      Map<String, ?> backup,
      Map<String, ?> restore,
      Map<String, String> parameters,
      Map<String, SecretReference> secrets,
      Map<String, ?> access) {
    public static final Extras NONE = new Extras(Map.of(), Map.of(), Map.of());

    public Extras {
      monitoring = orEmpty(monitoring);
      backup = orEmpty(backup);
      restore = orEmpty(restore);
      parameters = orEmpty(parameters);
      secrets = orEmpty(secrets);
      access = orEmpty(access);
    }

    /** Of no action, without secrets. */
    public Extras(Map<String, ?> monitoring, Map<String, ?> backup, Map<String, ?> restore) {
      this(monitoring, backup, restore, Map.of(), Map.of(), Map.of());
    }

    Extras with(Map<String, SecretReference> references) {
      return new Extras(monitoring, backup, restore, parameters, references, access);
    }

    Extras withAccess(Map<String, ?> peers) {
      return new Extras(monitoring, backup, restore, parameters, secrets, peers);
    }

    Extras withParameters(Map<String, String> values) {
      return new Extras(monitoring, backup, restore, values, secrets, access);
    }

    private Map<String, Map<String, String>> referenced() {
      var variable = new HashMap<String, Map<String, String>>();
      secrets.forEach((name, reference) -> variable.put(name, reference.asVariable()));
      return variable;
    }
  }

  /** The same for an action with these parameters. */
  RenderContext with(Map<String, String> parameters) {
    return new RenderContext(subject, software, workload, extras.withParameters(parameters), owner);
  }

  /** The template variables by name, as CEL values. */
  Map<String, Object> variables() {
    Map<String, Object> plain = new HashMap<>();
    plain.put("name", subject.name());
    plain.put("namespace", subject.namespace());
    plain.put("app", subject.app());
    plain.put("component", subject.component());
    plain.put("group", subject.group());
    plain.put("replicas", workload.replicas());
    plain.put("runtime", software.runtime().asMap());
    plain.put("images", software.images());
    plain.put("plugin", software.plugin().asMap());
    plain.put("resources", workload.resources());
    plain.put("storage", workload.storage());
    plain.put("affinity", workload.affinity());
    plain.put("config", workload.config());
    plain.put("monitoring", extras.monitoring());
    plain.put("backup", extras.backup());
    plain.put("restore", extras.restore());
    plain.put("access", extras.access());
    plain.put("parameters", extras.parameters());
    plain.put("secrets", extras.referenced());
    plain.put("labels", owner.all());
    plain.put("selectorLabels", owner.constant());
    var variables = CelValues.fromPlain(plain);
    if (!workload.storage().isEmpty()) {
      variables.put("storage", withStorageClass(CelValues.fromPlain(workload.storage())));
    }
    variables.put("volumes", workload.namedVolumes());
    return variables;
  }

  /** Without a class the cluster's default applies: null drops the rendered key. */
  private static Map<String, Object> withStorageClass(Map<String, Object> storage) {
    storage.putIfAbsent("storageClassName", NullValue.NULL_VALUE);
    return storage;
  }

  private static <V> Map<String, V> orEmpty(Map<String, V> map) {
    return map == null ? Map.of() : map;
  }
}
