package io.middleware.engine.watcher.metadata;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Optional;

/** What the ConfigMaps say at present, as last seen. */
public interface PublishedMetadata {

  /** What tells the App's text from another; nothing when it has none. */
  Optional<String> digest(ResourceID app);

  /** The keys that no App has. */
  List<ResourceID> strays();
}
