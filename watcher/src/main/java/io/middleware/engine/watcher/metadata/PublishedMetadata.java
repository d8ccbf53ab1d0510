package io.middleware.engine.watcher.metadata;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Optional;

/** The content of the metadata ConfigMaps, as last observed. */
public interface PublishedMetadata {

  /** The digest of the App's text; empty when the ConfigMap has none. */
  Optional<String> digest(ResourceID app);

  /** The keys without an App. */
  List<ResourceID> orphans();
}
