package io.middleware.engine.watcher.cache;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reduces the metadata that all kinds share. */
final class ObjectMetaCacheTransform {
  private static final String OWN = "middleware.io/";
  private static final Set<String> REVISIONS =
      Set.of("controller-revision-hash", "pod-template-hash");

  private ObjectMetaCacheTransform() {}

  static void reduce(HasMetadata object) {
    object.setApiVersion(shared(object.getApiVersion()));
    var meta = object.getMetadata();
    meta.setNamespace(shared(meta.getNamespace()));
    meta.setManagedFields(List.of());
    meta.setOwnerReferences(List.of());
    meta.setGenerateName(null);
    meta.setSelfLink(null);
    meta.setLabels(kept(meta.getLabels()));
    meta.setAnnotations(kept(meta.getAnnotations()));
  }

  /** One shared copy of a text that many objects have. */
  static String shared(String text) {
    return text == null ? null : text.intern();
  }

  static PluginRef plugin(PluginRef plugin) {
    return plugin == null ? null : new PluginRef(shared(plugin.name()), shared(plugin.version()));
  }

  static RuntimeRef runtime(RuntimeRef runtime) {
    return runtime == null
        ? null
        : new RuntimeRef(shared(runtime.name()), shared(runtime.version()));
  }

  private static Map<String, String> kept(Map<String, String> all) {
    return all == null
        ? Map.of()
        : all.entrySet().stream()
            .filter(one -> one.getKey().startsWith(OWN) || REVISIONS.contains(one.getKey()))
            .filter(one -> !one.getKey().equals(Labels.UNDO))
            .collect(toUnmodifiableMap(one -> shared(one.getKey()), one -> shared(one.getValue())));
  }
}
