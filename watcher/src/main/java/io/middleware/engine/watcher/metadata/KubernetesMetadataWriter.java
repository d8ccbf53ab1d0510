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
import io.middleware.engine.api.Labels;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes by merge patch, only the keys that change: with server-side apply either each App is a
 * field manager, and a thousand of them cost a thousand writes of a growing object, or each write
 * carries what all Apps of the namespace say.
 */
public final class KubernetesMetadataWriter implements MetadataWriter {
  /** The answer to an object that is not valid, as it is too long. */
  private static final int HTTP_UNPROCESSABLE = 422;

  private final KubernetesClient client;
  private final String fieldManager;
  private final PatchContext merge;
  private final Counter writes;

  public KubernetesMetadataWriter(
      KubernetesClient client, String fieldManager, MeterRegistry registry) {
    this.client = client;
    this.fieldManager = fieldManager;
    this.writes = registry.counter("middleware.metadata.writes");
    this.merge =
        new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(fieldManager)
            .build();
  }

  @Override
  public Set<String> write(String namespace, Map<String, Optional<String>> keys) {
    try {
      patch(namespace, keys);
      writes.increment();
      return Set.of();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HTTP_UNPROCESSABLE && e.getCode() != HTTP_ENTITY_TOO_LARGE) {
        throw e;
      }
      return keys.size() == 1 ? keys.keySet() : writeHalves(namespace, keys);
    }
  }

  /** What goes makes room for what comes; who finds none keeps no other out. */
  private Set<String> writeHalves(String namespace, Map<String, Optional<String>> keys) {
    var inOrder = new ArrayList<>(keys.keySet());
    inOrder.sort((one, other) -> Boolean.compare(isText(keys, one), isText(keys, other)));
    var half = inOrder.size() / 2;
    Set<String> refused = new HashSet<>(write(namespace, only(keys, inOrder.subList(0, half))));
    refused.addAll(write(namespace, only(keys, inOrder.subList(half, inOrder.size()))));
    return refused;
  }

  private static boolean isText(Map<String, Optional<String>> keys, String key) {
    return keys.get(key).isPresent();
  }

  private static Map<String, Optional<String>> only(
      Map<String, Optional<String>> keys, List<String> some) {
    var part = new LinkedHashMap<String, Optional<String>>();
    some.forEach(key -> part.put(key, keys.get(key)));
    return part;
  }

  private void patch(String namespace, Map<String, Optional<String>> keys) {
    try {
      client.resource(map(namespace).build()).patch(merge, patch(keys));
    } catch (KubernetesClientException e) {
      if (e.getCode() != HTTP_NOT_FOUND) {
        throw e;
      }
      create(namespace, keys);
    }
  }

  private static String patch(Map<String, Optional<String>> keys) {
    var patch = JsonNodeFactory.instance.objectNode();
    var data = patch.putObject("data");
    keys.forEach((key, text) -> data.put(key, text.orElse(null)));
    return patch.toString();
  }

  /** By an apply: unlike a plain creation it can be allowed for this one name. */
  private void create(String namespace, Map<String, Optional<String>> keys) {
    var data =
        keys.entrySet().stream()
            .filter(key -> key.getValue().isPresent())
            .collect(toMap(Map.Entry::getKey, key -> key.getValue().orElseThrow()));
    if (!data.isEmpty()) {
      client
          .resource(map(namespace).withData(data).build())
          .fieldManager(fieldManager)
          .serverSideApply();
    }
  }

  private static ConfigMapBuilder map(String namespace) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(Labels.METADATA)
        .endMetadata();
  }
}
