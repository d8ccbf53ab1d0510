package io.middleware.engine.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.util.RawValue;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * What Plugins and the templates in their ConfigMaps were when changes were planned: a change goes
 * on as planned when somebody edits its Plugin meanwhile. Each content is one ControllerRevision in
 * the engine's namespace, whose name has a hash of it. It has no owner, so that a change ends whose
 * Plugin is deleted.
 */
final class PluginRevisions {
  private static final int LIMIT = 10;
  private static final int HASH_LENGTH = 16;
  private static final Duration KEPT_FOR = Duration.ofHours(1);

  private final Cache<String, Content> known =
      CacheBuilder.newBuilder().expireAfterAccess(KEPT_FOR).build();
  private final Cache<String, Boolean> saved =
      CacheBuilder.newBuilder().expireAfterWrite(KEPT_FOR).build();
  private final KubernetesClient client;
  private final String namespace;

  PluginRevisions(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /**
   * A Plugin with its templates.
   *
   * @param texts by ConfigMap and key: {@code redis-templates/pdb.yaml}
   */
  record Content(PluginSpec spec, Map<String, String> texts) {}

  /** The name of this content, which this process can read from now on. */
  String name(Plugin plugin, Content content) {
    var hash = Hashing.sha256().hashString(json(content), UTF_8).toString();
    var name = plugin.getMetadata().getName() + "-" + hash.substring(0, HASH_LENGTH);
    known.put(name, content);
    return name;
  }

  /** Keeps what has this name for all processes, and forgets the oldest of the same Plugin. */
  void keep(Plugin plugin, String name) {
    if (saved.getIfPresent(name) == null) {
      var revision = revision(plugin, name, json(read(name)));
      Faults.attempt(
          "create ControllerRevision " + namespace + "/" + name,
          () -> {
            create(revision);
            forgetOldest(plugin.getMetadata().getName());
            return null;
          });
      saved.put(name, true);
    }
  }

  private String json(Content content) {
    return CanonicalJson.of(client.getKubernetesSerialization().convertValue(content, Map.class));
  }

  /**
   * The content of this name.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it was not kept
   */
  Content read(String name) {
    return find(name)
        .orElseThrow(
            () ->
                Faults.of(
                    FaultKind.INVALID,
                    "ControllerRevision %s/%s, which holds the Plugin as it was when this change was planned, is gone: edit the App"
                        .formatted(namespace, name)));
  }

  /** The content of this name; empty when it was not kept, or is gone. */
  Optional<Content> find(String name) {
    var cached = known.getIfPresent(name);
    if (cached != null) {
      return Optional.of(cached);
    }
    return Optional.ofNullable(
            Faults.attempt(
                "read ControllerRevision " + namespace + "/" + name,
                () -> revisions().withName(name).get()))
        .map(
            revision -> {
              var content =
                  client
                      .getKubernetesSerialization()
                      .convertValue(revision.getData(), Content.class);
              known.put(name, content);
              return content;
            });
  }

  /** The name of the content of this Plugin that was kept last; empty when none is kept. */
  Optional<String> newest(String plugin) {
    return Faults.list(
            "the ControllerRevisions of Plugin " + plugin,
            revisions().withLabel(Labels.PLUGIN, plugin))
        .stream()
        .map(HasMetadata::getMetadata)
        .max(Comparator.comparing(ObjectMeta::getCreationTimestamp))
        .map(ObjectMeta::getName);
  }

  private void create(ControllerRevision revision) {
    try {
      revisions().resource(revision).create();
    } catch (KubernetesClientException e) {
      if (e.getStatus() == null || !"AlreadyExists".equals(e.getStatus().getReason())) {
        throw e;
      }
    }
  }

  private void forgetOldest(String plugin) {
    revisions().withLabel(Labels.PLUGIN, plugin).list().getItems().stream()
        .map(HasMetadata::getMetadata)
        .sorted(
            Comparator.comparing((ObjectMeta metadata) -> metadata.getCreationTimestamp())
                .reversed())
        .skip(LIMIT)
        .map(ObjectMeta::getName)
        .forEach(
            name -> {
              revisions().withName(name).delete();
              saved.invalidate(name);
            });
  }

  private ControllerRevision revision(Plugin plugin, String name, String json) {
    return new ControllerRevisionBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace)
        .addToLabels(Labels.PLUGIN, plugin.getMetadata().getName())
        .endMetadata()
        .withRevision(plugin.getMetadata().getGeneration())
        .withData(new RawValue(json))
        .build();
  }

  private NonNamespaceOperation<
          ControllerRevision,
          KubernetesResourceList<ControllerRevision>,
          Resource<ControllerRevision>>
      revisions() {
    return client.resources(ControllerRevision.class).inNamespace(namespace);
  }
}
