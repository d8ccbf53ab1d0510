package io.middleware.engine.watcher.metadata;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Optional;

/** The content of the metadata ConfigMaps, as last observed. */
public interface PublishedMetadata {

  /** The digest of the App's text; empty when there is none; no digest when there are several. */
  Optional<String> digest(ResourceID app);

  /** The names of the ConfigMaps that have a text of the App; in order, usually one. */
  List<String> maps(ResourceID app);

  /** The name of the namespace's last ConfigMap that exists; of the first when none exists. */
  String lastMap(String namespace);

  /** The keys without an App. */
  List<ResourceID> orphans();
}
