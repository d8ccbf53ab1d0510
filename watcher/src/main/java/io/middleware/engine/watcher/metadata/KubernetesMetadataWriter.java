package io.middleware.engine.watcher.metadata;

import static java.net.HttpURLConnection.HTTP_ENTITY_TOO_LARGE;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;
import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.process.EngineMetric;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes the metadata ConfigMaps by merge patch with only the keys that change. With server-side
 * apply either each App would be a field manager, so that a thousand Apps cost a thousand writes of
 * a growing object, or each write would carry the metadata of all Apps of the namespace.
 */
public final class KubernetesMetadataWriter implements MetadataWriter {
  /** The answer to an object that is not valid, for example because it is too large. */
  private static final int HTTP_UNPROCESSABLE = 422;

  private final KubernetesClient client;
  private final String fieldManager;
  private final PatchContext merge;
  private final Counter writes;

  public KubernetesMetadataWriter(
      KubernetesClient client, String fieldManager, MeterRegistry registry) {
    this.client = client;
    this.fieldManager = fieldManager;
    this.writes = EngineMetric.METADATA_WRITES.counter(registry);
    this.merge =
        new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(fieldManager)
            .build();
  }

  @Override
  public Set<String> write(String namespace, String name, Map<String, Optional<String>> keys) {
    try {
      patch(namespace, name, keys);
      writes.increment();
      return Set.of();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HTTP_UNPROCESSABLE && e.getCode() != HTTP_ENTITY_TOO_LARGE) {
        throw e;
      }
      return keys.size() == 1 ? keys.keySet() : writeHalves(namespace, name, keys);
    }
  }

  /** Removals come first and make room; a key without room does not keep out others. */
  private Set<String> writeHalves(
      String namespace, String name, Map<String, Optional<String>> keys) {
    var ordered = new ArrayList<>(keys.keySet());
    ordered.sort((one, other) -> Boolean.compare(isText(keys, one), isText(keys, other)));
    var half = ordered.size() / 2;
    Set<String> refused =
        new HashSet<>(write(namespace, name, only(keys, ordered.subList(0, half))));
    refused.addAll(write(namespace, name, only(keys, ordered.subList(half, ordered.size()))));
    return refused;
  }

  private static boolean isText(Map<String, Optional<String>> keys, String key) {
    return keys.get(key).isPresent();
  }

  private static Map<String, Optional<String>> only(
      Map<String, Optional<String>> keys, List<String> selection) {
    var selected = new LinkedHashMap<String, Optional<String>>();
    selection.forEach(key -> selected.put(key, keys.get(key)));
    return selected;
  }

  private void patch(String namespace, String name, Map<String, Optional<String>> keys) {
    try {
      client.resource(map(namespace, name).build()).patch(merge, patch(keys));
    } catch (KubernetesClientException e) {
      if (e.getCode() != HTTP_NOT_FOUND) {
        throw e;
      }
      create(namespace, name, keys);
    }
  }

  private static String patch(Map<String, Optional<String>> keys) {
    var patch = JsonNodeFactory.instance.objectNode();
    var data = patch.putObject("data");
    keys.forEach((key, text) -> data.put(key, text.orElse(null)));
    return patch.toString();
  }

  /** Creates by apply: unlike a create call, RBAC can allow it for these names alone. */
  private void create(String namespace, String name, Map<String, Optional<String>> keys) {
    var data =
        keys.entrySet().stream()
            .filter(key -> key.getValue().isPresent())
            .collect(toMap(Map.Entry::getKey, key -> key.getValue().orElseThrow()));
    if (!data.isEmpty()) {
      client
          .resource(map(namespace, name).withData(data).build())
          .fieldManager(fieldManager)
          .serverSideApply();
    }
  }

  private static ConfigMapBuilder map(String namespace, String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata();
  }
}
