package io.middleware.engine.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.util.RawValue;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.hash.Hashing;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.FaultKind;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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

  /** Times are full seconds. */
  private static final Comparator<ControllerRevision> BY_AGE =
      Comparator.comparing((ControllerRevision one) -> one.getMetadata().getCreationTimestamp())
          .thenComparing(ControllerRevision::getRevision);

  private final Cache<String, Content> known =
      CacheBuilder.newBuilder().expireAfterAccess(KEPT_FOR).build();
  private final Cache<String, Boolean> saved =
      CacheBuilder.newBuilder().expireAfterWrite(KEPT_FOR).build();
  private final KubernetesClient client;
  private final String namespace;
  private final List<String> namespaces;

  /**
   * @param namespace where they are kept
   * @param namespaces of the Groups that name them; none means all
   */
  PluginRevisions(KubernetesClient client, String namespace, List<String> namespaces) {
    this.client = client;
    this.namespace = namespace;
    this.namespaces = List.copyOf(namespaces);
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

  /**
   * Keeps what has this name for all processes, and forgets the oldest of the same Plugin, except
   * those that a Group names or this process has just kept.
   */
  void keep(Plugin plugin, String name) {
    if (saved.getIfPresent(name) == null) {
      var revision = revision(plugin, name, json(read(name)));
      Faults.attempt(
          "create ControllerRevision " + namespace + "/" + name,
          () -> {
            create(revision);
            saved.put(name, true);
            forgetOldest(plugin.getMetadata().getName());
            return null;
          });
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
              var content = content(revision);
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
        .max(BY_AGE)
        .map(one -> one.getMetadata().getName());
  }

  /** What is kept of Plugins other than these. */
  List<PluginSpec> ofOthers(Set<String> plugins) {
    return Faults.list(
            "the ControllerRevisions of Plugins",
            revisions().withLabel(Labels.PLUGIN).withoutLabel(Labels.APP))
        .stream()
        .filter(one -> !plugins.contains(one.getMetadata().getLabels().get(Labels.PLUGIN)))
        .map(this::content)
        .map(Content::spec)
        .filter(Objects::nonNull)
        .toList();
  }

  private Content content(ControllerRevision revision) {
    return client.getKubernetesSerialization().convertValue(revision.getData(), Content.class);
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
    var oldest =
        revisions().withLabel(Labels.PLUGIN, plugin).list().getItems().stream()
            .sorted(BY_AGE.reversed())
            .skip(LIMIT)
            .map(one -> one.getMetadata().getName())
            .filter(name -> saved.getIfPresent(name) == null)
            .toList();
    if (!oldest.isEmpty()) {
      var used = used();
      oldest.stream()
          .filter(name -> !used.contains(name))
          .forEach(name -> revisions().withName(name).delete());
    }
  }

  /** The names with which Groups were rendered. */
  private Set<String> used() {
    var groups = client.resources(Group.class);
    var lists =
        namespaces.isEmpty()
            ? Stream.of(groups.inAnyNamespace().list())
            : namespaces.stream().map(one -> groups.inNamespace(one).list());
    return lists
        .flatMap(list -> list.getItems().stream())
        .map(group -> group.getMetadata().getAnnotations().get(Labels.PLUGIN_REVISION))
        .filter(Objects::nonNull)
        .collect(toSet());
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
