package io.middleware.engine.worker.render;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.backup.BackupStatus;
import io.middleware.engine.api.backup.BackupStore;
import io.middleware.engine.api.backup.BackupStoreSpec;
import io.middleware.engine.api.plugin.ConfigMapKey;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.render.BackupSources;
import io.middleware.engine.render.schema.ManifestReader;
import io.middleware.engine.render.schema.ObjectSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The contents of the input files, checked like the API server does.
 *
 * @param texts templates from ConfigMaps, by ConfigMap and key
 * @param stores that the App may name
 */
record RenderInputs(
    Plugin plugin, App app, Map<ConfigMapKey, String> texts, List<BackupStore> stores)
    implements BackupSources {
  private static final KubernetesSerialization OBJECTS = new KubernetesSerialization();

  /**
   * @throws InvalidInputException that lists each problem with its file
   */
  static RenderInputs read(Path pluginFile, Path appFile, Optional<Path> storeFile) {
    var documents = documents(pluginFile);
    var plugin = only(pluginFile, documents, "Plugin");
    var app = only(appFile, documents(appFile), "App");
    return new RenderInputs(
        object(pluginFile, plugin, "plugins", Plugin.class),
        object(appFile, app, "apps", App.class),
        texts(documents),
        storeFile.map(RenderInputs::stores).orElse(List.of()));
  }

  private static List<BackupStore> stores(Path file) {
    return documents(file).stream()
        .filter(one -> "BackupStore".equals(one.get("kind")))
        .map(one -> object(file, one, "backupstores", BackupStore.class))
        .toList();
  }

  @Override
  public Optional<BackupStoreSpec> store(String namespace, String name) {
    return Optional.of(
        stores.stream()
            .filter(store -> name.equals(store.getMetadata().getName()))
            .map(BackupStore::getSpec)
            .findFirst()
            .orElseThrow(
                () ->
                    new NoSuchElementException(
                        "BackupStore %s is missing: give its file with --store".formatted(name))));
  }

  /** Copies are in a cluster. */
  @Override
  public Optional<BackupStatus> backup(String namespace, String name) {
    return Optional.empty();
  }

  /**
   * The text of a template. The ConfigMaps in the Plugin's file replace those of the engine's
   * namespace.
   */
  String text(ConfigMapKey key) {
    var text = texts.get(key);
    if (text == null) {
      throw new NoSuchElementException(
          "key %s of ConfigMap %s is missing: add the ConfigMap to the Plugin's file, after ---"
              .formatted(key.key(), key.name()));
    }
    return text;
  }

  private static List<Map<String, Object>> documents(Path file) {
    try {
      return ManifestReader.read(Files.readString(file));
    } catch (IOException e) {
      throw new InvalidInputException(file + ": cannot be read: " + e);
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(file + ": " + e.getMessage());
    }
  }

  private static Map<String, Object> only(
      Path file, List<Map<String, Object>> documents, String kind) {
    var found = documents.stream().filter(one -> kind.equals(one.get("kind"))).toList();
    if (found.size() != 1) {
      var kinds = documents.stream().map(one -> String.valueOf(one.get("kind"))).toList();
      throw new InvalidInputException(
          "%s: must contain exactly one %s, but contains %s"
              .formatted(file, kind, kinds.isEmpty() ? "nothing" : kinds));
    }
    return found.getFirst();
  }

  private static <T extends HasMetadata> T object(
      Path file, Map<String, Object> manifest, String plural, Class<T> type) {
    if (!(manifest.get("metadata") instanceof Map<?, ?> metadata)
        || !(metadata.get("name") instanceof String)) {
      throw new InvalidInputException(file + ": metadata.name: Required value");
    }
    var checked = ObjectSchema.of(plural).check(manifest);
    if (!checked.problems().isEmpty()) {
      throw new InvalidInputException(
          checked.problems().stream().map(problem -> file + ": " + problem).toList());
    }
    var object = OBJECTS.convertValue(checked.object(), type);
    if (object.getMetadata().getNamespace() == null) {
      object.getMetadata().setNamespace("default");
    }
    return object;
  }

  private static Map<ConfigMapKey, String> texts(List<Map<String, Object>> documents) {
    return documents.stream()
        .filter(one -> "ConfigMap".equals(one.get("kind")))
        .flatMap(
            map ->
                field(map, "data").entrySet().stream()
                    .map(
                        entry ->
                            Map.entry(
                                new ConfigMapKey(
                                    String.valueOf(field(map, "metadata").get("name")),
                                    entry.getKey().toString()),
                                entry.getValue().toString())))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, twin) -> twin));
  }

  private static Map<?, ?> field(Map<String, Object> object, String name) {
    return object.get(name) instanceof Map<?, ?> map ? map : Map.of();
  }
}
