package io.middleware.engine.cluster;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.ConfigMapKey;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.TemplateSource;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.render.TemplateTexts;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads Plugins and their template ConfigMaps, from the engine's own namespace only. */
public final class Plugins {
  private final KubernetesClient client;
  private final String namespace;
  private final PluginRevisions revisions;

  /**
   * @param client with the engine's own rights
   * @param namespace the engine's own
   * @param namespaces of Apps; none means all
   */
  public Plugins(KubernetesClient client, String namespace, List<String> namespaces) {
    this.client = client;
    this.namespace = namespace;
    this.revisions = new PluginRevisions(client, namespace, namespaces);
  }

  /**
   * A Plugin as it is now; as it was kept last, when somebody has deleted it.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when nobody knows it any more,
   *     or it cannot be read
   */
  public Plugin read(PluginRef ref) {
    var name = Labels.pluginName(ref.name(), ref.version());
    var plugin =
        Faults.read(
                "Plugin " + name,
                client.resources(Plugin.class).inNamespace(namespace).withName(name))
            .or(() -> kept(ref));
    if (plugin.map(Plugin::getSpec).isEmpty()) {
      throw Faults.of(
          FaultKind.INVALID,
          "Plugin %s/%s %s"
              .formatted(namespace, name, plugin.isEmpty() ? "does not exist" : "cannot be read"));
    }
    return plugin.get();
  }

  /** A Plugin that has been deleted, as it was kept last; empty when none is kept. */
  public Optional<Plugin> kept(PluginRef ref) {
    var name = Labels.pluginName(ref.name(), ref.version());
    return revisions
        .newest(name)
        .map(
            revision -> {
              var plugin = new Plugin();
              plugin.setMetadata(
                  new ObjectMetaBuilder()
                      .withNamespace(namespace)
                      .withName(name)
                      .withGeneration(0L)
                      .addToAnnotations(Labels.PLUGIN_REVISION, revision)
                      .build());
              plugin.setSpec(read(revision));
              return plugin;
            });
  }

  /**
   * The parameters that any Plugin declares sensitive, or has declared so before somebody deleted
   * it.
   */
  public SensitiveParameters sensitive() {
    var existing =
        Faults.list("the Plugins", client.resources(Plugin.class).inNamespace(namespace)).stream()
            .filter(plugin -> plugin.getSpec() != null)
            .collect(toMap(plugin -> plugin.getMetadata().getName(), Plugin::getSpec));
    return SensitiveParameters.of(
        Stream.concat(existing.values().stream(), revisions.ofOthers(existing.keySet()).stream())
            .toList());
  }

  /**
   * A Plugin as it was when the change was planned. It is read as it is now when the plan was made
   * for another version of it, or by an engine that kept none.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when the Plugin is missing or
   *     cannot be read
   */
  public PluginSpec read(TaskRef task, PluginRef ref) {
    return task.pluginRevision()
        .map(this::read)
        .filter(spec -> ref.equals(new PluginRef(spec.name(), spec.version())))
        .orElseGet(() -> read(ref).getSpec());
  }

  /**
   * A Plugin as it was kept.
   *
   * @param revision its name
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it is gone
   */
  public PluginSpec read(String revision) {
    return revisions.read(revision).spec().withTemplates(source -> of(revision, source));
  }

  /**
   * The name of the content that {@link #read(TaskRef, PluginRef)} gives, which is kept from now
   * on.
   */
  public String revision(TaskRef task, PluginRef ref) {
    return task.pluginRevision()
        .filter(
            kept -> {
              var spec = revisions.read(kept).spec();
              return ref.equals(new PluginRef(spec.name(), spec.version()));
            })
        .orElseGet(
            () -> {
              var plugin = read(ref);
              var revision = revision(plugin);
              keep(plugin, revision);
              return revision;
            });
  }

  /**
   * The Plugin with which something was rendered. Without the content that was recorded then, it is
   * the Plugin of this version as it is now, or as it was kept last.
   *
   * @param recorded the name of the content; empty where an earlier engine has recorded none
   * @return empty when nobody knows it any more
   */
  public Optional<PluginSpec> deployed(Optional<String> recorded, PluginRef ref) {
    return recorded
        .filter(name -> revisions.find(name).isPresent())
        .map(this::read)
        .or(() -> find(ref).map(Plugin::getSpec))
        .or(() -> revisions.newest(Labels.pluginName(ref.name(), ref.version())).map(this::read));
  }

  private Optional<Plugin> find(PluginRef ref) {
    var name = Labels.pluginName(ref.name(), ref.version());
    return Faults.read(
            "Plugin " + name, client.resources(Plugin.class).inNamespace(namespace).withName(name))
        .filter(plugin -> plugin.getSpec() != null);
  }

  /**
   * The name of a Plugin and the templates in its ConfigMaps as they are now, for {@link
   * TaskRef#pluginRevision()}.
   */
  public String revision(Plugin plugin) {
    var annotations = plugin.getMetadata().getAnnotations();
    if (annotations != null && annotations.containsKey(Labels.PLUGIN_REVISION)) {
      return annotations.get(Labels.PLUGIN_REVISION);
    }
    var texts = new TreeMap<String, String>();
    Stream.ofNullable(plugin.getSpec().componentTypes())
        .flatMap(List::stream)
        .flatMap(type -> Stream.ofNullable(type.templates()))
        .flatMap(List::stream)
        .map(TemplateSource::fromConfigMap)
        .filter(Objects::nonNull)
        .collect(groupingBy(ConfigMapKey::name))
        .forEach((map, keys) -> texts.putAll(texts(map, keys)));
    return revisions.name(plugin, new PluginRevisions.Content(plugin.getSpec(), texts));
  }

  /** Keeps what has this name, so that a change can be carried out with it to its end. */
  public void keep(Plugin plugin, String revision) {
    revisions.keep(plugin, revision);
  }

  /** What is missing is refused when it is rendered: the App may not need it. */
  private Map<String, String> texts(String map, List<ConfigMapKey> keys) {
    var data = data(map);
    return keys.stream()
        .distinct()
        .filter(source -> data.containsKey(source.key()))
        .collect(toMap(Plugins::path, source -> data.get(source.key())));
  }

  /**
   * The text of a template in a ConfigMap, or of one that was kept.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it is missing
   */
  public String template(ConfigMapKey source) {
    var parts = source.name().split(TemplateTexts.OF_REVISION, 2);
    var map = parts[0];
    var text =
        parts.length == 1
            ? data(map).get(source.key())
            : revisions.read(parts[1]).texts().get(path(new ConfigMapKey(map, source.key())));
    if (text == null) {
      throw Faults.of(
          FaultKind.INVALID,
          "ConfigMap %s/%s with key %s does not exist".formatted(namespace, map, source.key()));
    }
    return text;
  }

  private Map<String, String> data(String map) {
    var found =
        Faults.attempt(
            "read ConfigMap " + map,
            () -> client.resources(ConfigMap.class).inNamespace(namespace).withName(map).get());
    return found == null || found.getData() == null ? Map.of() : found.getData();
  }

  /** The same template under a name by which {@link #template} finds the kept text. */
  private static TemplateSource of(String revision, TemplateSource source) {
    var key = source.fromConfigMap();
    return key == null
        ? source
        : new TemplateSource(
            null,
            new ConfigMapKey(key.name() + TemplateTexts.OF_REVISION + revision, key.key()),
            source.forEach());
  }

  private static String path(ConfigMapKey source) {
    return source.name() + "/" + source.key();
  }
}
